import { defineConfig } from '@lingui/cli';
import { createBabelExtractor } from '@lingui/cli/api/extractors/babel';
import type { ExtractorType } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './api/contract/languages.ts';

/** Names of districts are texts in the states that `regions.json` marks as translated. */
const districtNames: ExtractorType = {
  match: (file) => file.endsWith('/regions/regions.json'),
  extract(file, code, onMessage) {
    const states: { translated?: boolean; districts: { name: string }[] }[] = JSON.parse(code);
    const names = new Set(
      states.flatMap(({ translated, districts }) => (translated ? districts : []).map(({ name }) => name)),
    );
    for (const id of names) onMessage({ id, origin: [file, 1] });
  },
};

export default defineConfig({
  sourceLocale: 'en',
  locales: languages(),
  extractors: [createBabelExtractor({ parserOptions: { tsExperimentalDecorators: true } }), districtNames],
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
