import rxjs from 'eslint-plugin-rxjs-x';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['**/dist/', 'coverage/', 'reports/', '.stryker-tmp/'] },
  {
    files: ['**/*.ts'],
    extends: [
      typescript.configs.strictTypeChecked,
      typescript.configs.stylisticTypeChecked,
      rxjs.configs.recommended,
    ],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A class may get its members from elsewhere, and a component has a template.
      '@typescript-eslint/no-extraneous-class': [
        'error',
        { allowConstructorOnly: true, allowWithDecorator: true },
      ],
      // The busy flag must see the end that takeUntil makes, or it would stick.
      'rxjs-x/no-unsafe-takeuntil': ['error', { allow: ['busy', 'finalize'] }],
    },
  },
  {
    // Re-exporting an operator names its deprecated overloads too; a use of one is still reported.
    files: ['lib/rx.ts', 'lib/*/peers.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
);
