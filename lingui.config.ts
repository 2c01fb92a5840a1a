import { defineConfig } from '@lingui/cli';
import { createBabelExtractor } from '@lingui/cli/api/extractors/babel';
import { formatter } from '@lingui/format-po';
import { languages } from './api/contract/languages.ts';

export default defineConfig({
  sourceLocale: 'en',
  locales: languages(),
  extractors: [createBabelExtractor({ parserOptions: { tsExperimentalDecorators: true } })],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: '<rootDir>/texts/{locale}',
      include: ['<rootDir>/pwa/src', '<rootDir>/pwa/app-manifest.ts', '<rootDir>/api/contract', '<rootDir>/api/src'],
      exclude: ['**/*.test.ts', '**/*.test.tsx'],
    },
  ],
  runtimeConfigModule: { i18n: ['@nivida/contract/i18n', 'i18n'], Trans: ['#trans', 'Trans'] },
});
