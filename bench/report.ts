import { digits, isMet, median, ratio, spread, textOf } from './figures.ts';
import type { Series } from './figures.ts';
import type { Goal, Line } from './scenario.ts';

/** The circumstances of a measurement. */
export interface Setting {
  readonly date: string;
  readonly node: string;
  readonly commit: string;
  readonly processors: string;
  /** The versions of the systems, by name. */
  readonly versions: Readonly<Record<string, string>>;
}

/** One line of the table, with the series of each system that supports it. */
interface Result {
  readonly line: Line;
  readonly series: readonly Series[];
  readonly floor: Series | undefined;
}

/** The whole report as Markdown: the table with its goals, then every figure. */
export function reportOf(setting: Setting, lines: readonly Line[], all: readonly Series[]): string {
  const results = resultsOf(lines, all);
  return [
    '# Results',
    '',
    `${setting.date}, Node ${setting.node}, commit ${setting.commit}, ${setting.processors}. Made by \`npm run bench\`;`,
    'what is measured, and how, is in [README.md](README.md). Times are processor time, medians over rounds; × is the median of',
    'the ratios to the floor of the same round. A dash: the system does not do this. *: it does less than the line says, see below.',
    '',
    summaryOf(results),
    '',
    '## All figures',
    '',
    '± is half of the distance between the quartiles.',
    '',
    detailsOf(results),
    '',
    '## Versions',
    '',
    Object.entries(setting.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    '',
  ].join('\n');
}

/** The series of each line, with the floor among them. */
export const resultsOf = (lines: readonly Line[], all: readonly Series[]): Result[] =>
  lines.map((line) => {
    const series = all.filter((each) => each.line.id === line.id);
    return { line, series, floor: series.find(({ system }) => system === 'floor') };
  });

/** The short table: the floor, rivulet and its goal, and its peers from best to worst. */
export function summaryOf(results: readonly Result[]): string {
  const rows = results.map(({ line, series, floor }) => {
    const own = series.find(({ system }) => system === 'rivulet');
    const peers = series.filter(({ system }) => system !== 'rivulet' && system !== 'floor');
    return [
      line.title,
      floor ? textOf(median(floor.values), line.unit) : '–',
      own ? bothOf(own, floor) : '–',
      line.goal ? goalOf(line.goal, line) : '–',
      verdictOf(line, own, floor),
      [...peers]
        .sort((a, b) => rankOf(a, floor) - rankOf(b, floor))
        .map((each) => `${each.system} ${figureOf(each, floor)}`)
        .join(', ') || '–',
    ];
  });
  return tableOf(['', 'floor', 'rivulet', 'goal', '', 'peers'], rows);
}

/** The long table: the median, ratio and spread of each system on each line. */
export function detailsOf(results: readonly Result[]): string {
  const rows = results.flatMap(({ line, series, floor }) =>
    series.map((each) => [
      line.id,
      each.system,
      textOf(median(each.values), line.unit),
      line.unit === 'count' ? '–' : digits(ratio(each, floor)),
      `${Math.round(100 * (spread(each.values) || 0))} %`,
      String(each.values.length),
      each.note ?? '',
    ]),
  );
  return tableOf(['line', 'system', 'median', '×', '±', 'rounds', 'note'], rows);
}

/** Whether peers are shown as multiples of the floor, like the goal. */
const isTimes = ({ line }: Series, floor: Series | undefined): boolean =>
  floor !== undefined && line.goal?.ratio !== undefined;

const rankOf = (series: Series, floor: Series | undefined): number =>
  isTimes(series, floor) ? ratio(series, floor) : median(series.values);

/** A multiple of the floor if the goal is one, otherwise the figure. */
function figureOf(series: Series, floor: Series | undefined): string {
  const rank = rankOf(series, floor);
  const figure = isTimes(series, floor) ? `×${digits(rank)}` : textOf(rank, series.line.unit);
  return series.note ? `${figure}*` : figure;
}

/** The figure, and its multiple of the floor. */
function bothOf(series: Series, floor: Series | undefined): string {
  const absolute = textOf(median(series.values), series.line.unit);
  const times = floor && series.line.unit !== 'count' ? ` (×${digits(ratio(series, floor))})` : '';
  return absolute + times + (series.note ? '*' : '');
}

const goalOf = ({ ratio: times, most }: Goal, { unit }: Line): string =>
  [times === undefined ? '' : `≤ ×${times}`, most === undefined ? '' : `≤ ${textOf(most, unit)}`]
    .filter(Boolean)
    .join(', ');

function verdictOf({ goal }: Line, own: Series | undefined, floor: Series | undefined): string {
  if (!goal || !own) return '–';
  return isMet(goal, own, floor) ? 'met' : '**missed**';
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
