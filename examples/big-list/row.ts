import { oneOf } from './random.ts';
import type { Random } from './random.ts';

/** A player. */
export interface Row {
  readonly id: number;
  readonly name: string;
  readonly city: string;
  readonly score: number;
  /** How often the score has changed. */
  readonly changes: number;
}

/** Makes up rows, with ids from 1. */
export function makeRows(count: number, random: Random): Row[] {
  return Array.from({ length: count }, (_, place) => makeRow(place + 1, random));
}

export function makeRow(id: number, random: Random): Row {
  return {
    id,
    name: `${oneOf(firstNames, random)} ${oneOf(lastNames, random)}`,
    city: oneOf(cities, random),
    score: Math.floor(random() * 10_000),
    changes: 0,
  };
}

const firstNames = [
  ...([
    'Ada',
    'Bela',
    'Carl',
    'Dora',
    'Emil',
    'Femi',
    'Grace',
    'Hana',
    'Igor',
    'Jana',
    'Kofi',
    'Lena',
  ] as const),
  ...([
    'Mira',
    'Nils',
    'Olga',
    'Pavel',
    'Quinn',
    'Rosa',
    'Samir',
    'Tove',
    'Uma',
    'Vera',
    'Wim',
    'Yara',
  ] as const),
] as const;

const lastNames = [
  ...([
    'Abel',
    'Berg',
    'Costa',
    'Diallo',
    'Ekman',
    'Fischer',
    'Garcia',
    'Haas',
    'Ito',
    'Jansen',
    'Keller',
  ] as const),
  ...([
    'Lopez',
    'Mensah',
    'Novak',
    'Okafor',
    'Park',
    'Rossi',
    'Silva',
    'Tanaka',
    'Usman',
    'Vogel',
    'Wong',
  ] as const),
] as const;

const cities = [
  ...(['Accra', 'Bergen', 'Cairo', 'Dublin', 'Essen', 'Fez', 'Ghent', 'Hanoi', 'Izmir', 'Jaipur'] as const),
  ...(['Kyoto', 'Lagos', 'Milan', 'Nairobi', 'Oslo', 'Porto', 'Quito', 'Rome', 'Seoul', 'Turin'] as const),
] as const;
