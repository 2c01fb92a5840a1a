import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { skippedReporter } from './.ci/skipped.js';
import { keepTemporaryFilesInMemory } from './.ci/temporary-files.js';
import { linguiCatalogues, linguiMacros } from './lingui.ts';

keepTemporaryFilesInMemory();

// Far from India: a date formatted without the Indian zone fails here.
process.env.TZ = 'America/Los_Angeles';

// Programs that tests start load faster with compiled code.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

const RELEASE_ONLY = '**/*.release.test.ts';
const isRelease = process.env.RELEASE_TESTS === '1';
const TAGS = [
  { name: 'release', description: 'What only a release needs: `npm run bench -- release`' },
  { name: 'larger', description: 'Checks more before a release' },
];

export default defineConfig({
  plugins: [linguiMacros(), linguiCatalogues()],
  test: {
    tags: TAGS,
    // Two cores: some tests wait for the database or for a program.
    maxWorkers: 3,
    // Databases answer outside of `act`; tests wait for what the page shows.
    onConsoleLog: (text) => !text.includes('not wrapped in act('),
    // A busy small machine is slow; that is no failure.
    expect: { poll: { timeout: 20_000 } },
    reporters: [
      'default',
      skippedReporter,
      ...(process.env.CI ? [['json', { outputFile: 'e2e/output/vitest.json' }] satisfies [string, object]] : []),
    ],
    projects: [
      {
        extends: true,
        test: { name: 'contract', include: ['api/contract/**/*.test.ts'], isolate: false, testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: isRelease ? ['api/test/**/*.test.ts'] : ['api/src/**/*.test.ts', 'api/test/**/*.test.ts'],
          exclude: isRelease ? [] : [RELEASE_ONLY],
          globalSetup: 'api/test/support/global-setup.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'pwa',
          include: ['pwa/src/**/*.test.ts'],
          environment: 'happy-dom',
          pool: 'threads',
          isolate: false,
          setupFiles: 'pwa/empty-device.setup.ts',
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Components keep state in modules and go on in the background, so each file has its own.
          name: 'components',
          include: ['pwa/src/**/*.test.tsx'],
          environment: 'happy-dom',
          pool: 'threads',
          setupFiles: 'pwa/close-pages.setup.ts',
          testTimeout: 120_000,
        },
      },
    ],
  },
});
