import type { Grocery } from './schema.ts';

type Line = readonly [name: string, quantity: number, unit: string, done?: 'done'];

const byCategory: Readonly<Record<string, readonly Line[]>> = {
  'Fruit & vegetables': [
    ['Bananas', 6, 'pcs'],
    ['Apples, Braeburn', 1.5, 'kg'],
    ['Lemons', 3, 'pcs', 'done'],
    ['Avocados', 2, 'pcs'],
    ['Tomatoes on the vine', 500, 'g'],
    ['Baby spinach', 200, 'g', 'done'],
    ['Carrots', 1, 'kg'],
    ['Red onions', 4, 'pcs'],
    ['Garlic', 1, 'bulb'],
    ['Potatoes, waxy', 2, 'kg'],
  ],
  'Dairy & eggs': [
    ['Whole milk', 2, 'l'],
    ['Butter, salted', 250, 'g', 'done'],
    ['Greek yoghurt', 500, 'g'],
    ['Free-range eggs', 12, 'pcs'],
    ['Cheddar, mature', 350, 'g'],
    ['Parmesan', 200, 'g', 'done'],
  ],
  Bakery: [
    ['Sourdough loaf', 1, 'pcs'],
    ['Bagels', 5, 'pcs'],
    ['Flour tortillas', 8, 'pcs', 'done'],
  ],
  'Meat & fish': [
    ['Chicken thighs', 800, 'g'],
    ['Smoked salmon', 100, 'g'],
    ['Minced beef', 500, 'g'],
    ['Bacon, streaky', 200, 'g', 'done'],
  ],
  Pantry: [
    ['Spaghetti', 1, 'kg'],
    ['Basmati rice', 1, 'kg'],
    ['Chopped tomatoes', 4, 'tins'],
    ['Chickpeas', 2, 'tins', 'done'],
    ['Olive oil, extra virgin', 750, 'ml'],
    ['Plain flour', 1.5, 'kg'],
    ['Brown sugar', 500, 'g'],
    ['Porridge oats', 1, 'kg'],
    ['Peanut butter, crunchy', 340, 'g', 'done'],
    ['Honey', 1, 'jar'],
  ],
  Drinks: [
    ['Coffee beans', 500, 'g'],
    ['Green tea', 40, 'bags', 'done'],
    ['Orange juice', 1, 'l'],
    ['Sparkling water', 6, 'bottles'],
  ],
  Household: [
    ['Dishwasher tablets', 1, 'box'],
    ['Kitchen paper', 2, 'rolls', 'done'],
    ['Bin bags, 30 l', 20, 'pcs'],
  ],
};

/**
 * The groceries in a new database: a week's shopping for a family, some of it already in the trolley.
 */
export function listGroceries(): Grocery[] {
  const lines = Object.entries(byCategory).flatMap(([category, items]) =>
    items.map((item) => ({ category, item })),
  );
  return lines.map(({ category, item: [name, quantity, unit, done] }, index) => ({
    id: index + 1,
    name,
    quantity,
    unit,
    category,
    done: done === 'done',
  }));
}
