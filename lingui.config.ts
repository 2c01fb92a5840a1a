import { defineConfig } from '@lingui/cli';
import { createBabelExtractor } from '@lingui/cli/api/extractors/babel';
import type { ExtractorType } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { languages } from './api/contract/languages.ts';

const districtNames = (regions: { translated?: boolean; districts: { name: string }[] }[]): string[] =>
  regions.flatMap(({ translated, districts }) => (translated ? districts : []).map(({ name }) => name));

const sources = (rules: unknown): string[] =>
  Object.entries(rules ?? {}).flatMap(([key, value]) =>
    typeof value === 'object' ? sources(value) : key === 'source' ? [value] : [],
  );

/** Names of districts, in the states that are marked as translated, and the sources of rules are texts. */
const textsInData: ExtractorType = {
  match: (file) => /\/(?:regions|bidding-rules)\.json$/.test(file),
  extract(file, code, onMessage) {
    const read = file.endsWith('/regions.json') ? districtNames : sources;
    for (const id of new Set(read(JSON.parse(code)))) onMessage({ id, origin: [file, 1] });
  },
};

const macros = createBabelExtractor({ parserOptions: { tsExperimentalDecorators: true } });

/** Only files with a macro or a comment i18n are parsed. */
const textsInCode: ExtractorType = {
  ...macros,
  extract: (file, code, ...rest) => (/'@lingui\/|i18n/.test(code) ? macros.extract(file, code, ...rest) : undefined),
};

export default defineConfig({
  sourceLocale: 'en',
  locales: languages(),
  extractors: [textsInCode, textsInData],
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
