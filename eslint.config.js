import rxjs from 'eslint-plugin-rxjs-x';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/', 'reports/', '.stryker-tmp/'] },
  // These import what only the benchmarks install; `npm run check --prefix bench` lints them too.
  { ignores: ['bench/adapters/', 'bench/stopwatch.ts'] },
  {
    files: ['**/*.ts'],
    extends: [
      typescript.configs.strictTypeChecked,
      typescript.configs.stylisticTypeChecked,
      rxjs.configs.recommended,
    ],
    languageOptions: {
      // By name: to look for the project of each file would have the library checked in two of them.
      parserOptions: {
        project: ['tsconfig.json', 'bench/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A class may get its members from elsewhere, and a component has a template.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowConstructorOnly: true, allowWithDecorator: true },
      ],
      // The busy flag must see the end that takeUntil makes, or it would stick.
      'rxjs-x/no-unsafe-takeuntil': ['error', { allow: ['raise', 'finalize'] }],
    },
  },
  {
    // An adapter is a list of short functions, each of which hands on to a library.
    files: ['bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Places of arrays count as there, see its tsconfig.json; where one may not be, it is asked.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-useless-default-assignment': 'off',
    },
  },
  {
    // Re-exporting an operator names its deprecated overloads too; a use of one is still reported.
    files: ['lib/rx.ts', 'lib/*/peers.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
);
