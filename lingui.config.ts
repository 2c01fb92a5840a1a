import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'hi'],
  format: formatter({ lineNumbers: false }),
  catalogs: [
    {
      path: '<rootDir>/texts/{locale}/app',
      include: ['pwa/src', 'api/contract'],
      exclude: ['**/*.test.ts', '**/*.test.tsx'],
    },
  ],
  runtimeConfigModule: { i18n: ['@nivida/contract/i18n', 'i18n'], Trans: ['#trans', 'Trans'] },
});
