import rxjs from 'eslint-plugin-rxjs-x';
import { defineConfig } from 'eslint/config';
import typescript from 'typescript-eslint';

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'reports/'] },
  {
    files: ['**/*.ts'],
    extends: [typescript.configs.strictTypeChecked, typescript.configs.stylisticTypeChecked, rxjs.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
  },
);
