import rxjs from 'eslint-plugin-rxjs-x';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/', 'reports/', '.stryker-tmp/'] },
  // These import packages that only the benchmarks install; `npm run check --prefix bench` lints them too.
  { ignores: ['bench/adapters/', 'bench/races/racers/', 'bench/stopwatch.ts'] },
  {
    files: ['**/*.ts'],
    extends: [
      typescript.configs.strictTypeChecked,
      typescript.configs.stylisticTypeChecked,
      rxjs.configs.recommended,
    ],
    languageOptions: {
      // By name: finding the project of each file automatically would check the library in two of them.
      parserOptions: {
        project: ['tsconfig.json', 'bench/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `erasableSyntaxOnly` leaves no enums to look for, which takes a twentieth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // A class may get its members from elsewhere, and a component has a template.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowConstructorOnly: true, allowWithDecorator: true },
      ],
      // These must see the end made by `takeUntil`, or the busy flag would stick.
      'rxjs-x/no-unsafe-takeuntil': ['error', { allow: ['raise', 'finalize'] }],
    },
  },
  {
    // A name means one thing in a function, and in the functions inside it.
    files: ['lib/**/*.ts'],
    rules: { '@typescript-eslint/no-shadow': 'error' },
  },
  {
    // Adapters are lists of short functions, each of which calls a library.
    files: ['bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Array elements count as present, see its tsconfig.json; where one may be missing, the code checks.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-useless-default-assignment': 'off',
    },
  },
  {
    // Re-exporting an operator names its deprecated overloads too; using one is still reported.
    files: ['lib/rx.ts', 'lib/*/peers.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
);
