import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions, type Rolldown } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { linguiCatalogues, linguiMacros } from '../lingui.ts';
import { appManifest } from './app-manifest.ts';
import { compressedFiles } from './compressed-files.ts';
import { languageFiles } from './language-files.ts';
import { screenFiles, storedWhen } from './screen-files.ts';

// `npm run dev` sets the API's port.
const API = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`;
const CRAWLER = /bot|crawl|externalhit|whatsapp|telegram|slack/i;

/**
 * True for a request for the page at `/tenders` and `/tenders/{id}`. There, page and API share an address.
 */
function wantsPage(request: IncomingMessage): boolean {
  const wantsHtml = request.headers.accept?.includes('text/html') ?? false;
  return request.method === 'GET' && (wantsHtml || CRAWLER.test(request.headers['user-agent'] ?? ''));
}

// The API's addresses with and without /api. The server does the same in production.
const proxy: Record<string, ProxyOptions> = {
  '^/(api|d|dev)/': { target: API },
  '^/auth/(login|register|forgot-password|reset-password|google)$': { target: API },
  '^/tenders(/[^/?]+(/bookmark)?)?(\\?|$)': {
    target: API,
    bypass: (request) => (wantsPage(request) ? request.url : undefined),
  },
};

/**
 * Turns off two warnings of the build. Its duration depends on the machine. A part that is imported
 * dynamically may be in a chunk that is already loaded.
 */
const checks = { bundlerTimings: false, ineffectiveDynamicImport: false };

const browserPlugins = [
  screenFiles(),
  languageFiles(),
  compressedFiles(),
  VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src',
    filename: 'sw.ts',
    injectRegister: false,
    // Only the operating system uses icons and screenshots. The app renders its own logo.
    includeManifestIcons: false,
    injectManifest: {
      rollupFormat: 'iife',
      globPatterns: ['index.html', 'assets/*.{js,css,json}', 'icons/icon.svg', '*/manifest.webmanifest'],
      // These files are only for browsers without workers.
      globIgnores: ['assets/engine-host-*'],
      buildPlugins: { vite: [linguiMacros()] },
      manifestTransforms: [
        (files) => ({
          manifest: files.flatMap((file) => {
            const when = storedWhen(file.url);
            if (when === 'never') return [];
            // The list names the size `bytes`, so `size` is removed.
            return [{ ...file, bytes: file.size, ...(when !== 'installed' && { when }) }];
          }),
          warnings: [],
        }),
      ],
    },
    integration: {
      configureCustomSWViteBuild(options) {
        options.logLevel = 'warn';
        options.build = { ...options.build, rollupOptions: { ...options.build?.rollupOptions, checks } };
      },
    },
    manifest: appManifest(),
  }),
];

// The package exports only its development build, which checks and warns at each render.
const productionRouter = join(
  dirname(createRequire(import.meta.url).resolve('react-router/package.json')),
  'dist/production',
);
const productionAliases = [
  { find: /^react-router$/, replacement: join(productionRouter, 'index.mjs') },
  { find: /^react-router\/dom$/, replacement: join(productionRouter, 'dom-export.mjs') },
];

/**
 * Rules that divide the app into chunks. A chunk also takes the modules that its own modules import, unless
 * an earlier chunk has them.
 */
const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // The first script runs before the app's code is loaded.
  { name: 'early', test: /\/src\/early\.ts$/, priority: 5 },
  { name: 'react', test: /\/node_modules\//, tags: ['$initial'], priority: 4 },
  { name: 'app', tags: ['$initial'], priority: 3 },
  // Modules that most screens need. Large tables, forms and what the bid desk and alerts need stay with their screens.
  {
    ...{
      name: 'base',
      test: /\/(?:api\/contract|node_modules|pwa\/src\/(?:data|ui))\/(?!bid-documents|bids\/|desk\/|typed-values|form\/FileButton|site\/status|tenders\/tender-(?:list|numbers)|push\/|support\/|files\/|documents\/|rates\/|readings\/|records\/|search\/|words\/|rules\/|account\/auth|orders\/(?:gst|order)\.ts)/,
      priority: 2,
    },
    ...{ minShareCount: 6, maxModuleSize: 30_000 },
  },
  {
    ...{ name: 'tenders', priority: 1, minShareCount: 2 },
    test: /\/pwa\/src\/(?:offline|features\/(?:bookmarks|on-this-phone|results|search|searches|share|tender))\//,
  },
  // All of the bids' modules that a list needs for its first paint.
  { name: 'card-mark', test: /\/features\/bids\/rules\/(?:card-mark|stages)\.ts$/, priority: 1 },
  // Modules of a feature that other features share. Those of info/status are shared with the desk only, and pages of
  // information must not load them.
  {
    name: (id) => /\/pwa\/src\/features\/(?!info\/status\/|firms\/)([\w-]+)\//.exec(id)?.[1] ?? null,
    ...{ minShareCount: 2, debugName: 'features' },
  },
];

/** `vite build --ssr` builds the server's page renderer (src/page.tsx) as one file without dependencies. */
export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [linguiMacros(), linguiCatalogues(), react(), ...(isSsrBuild ? [] : browserPlugins)],
  resolve: { alias: command === 'build' ? productionAliases : [] },
  ssr: { noExternal: true },
  // Vite gives a worker none of the plugins above.
  worker: { plugins: () => [linguiMacros()] },
  ...(isSsrBuild && { define: { 'process.env.NODE_ENV': '"production"' } }),
  build: {
    copyPublicDir: !isSsrBuild,
    // The server reads from it which files each screen has.
    manifest: !isSsrBuild,
    // Applies to syntax and styles. e2e/browsers/older-browsers.spec.ts finds functions that these browsers
    // lack.
    target: ['chrome111', 'safari17.5', 'firefox120'],
    // Nothing is inlined, because the security policy allows only the site's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // When a chunk changes, the chunks that import it stay the same: they import by name, and the page's
    // import map has the files.
    chunkImportMap: !isSsrBuild,
    rolldownOptions: { checks, output: { codeSplitting: isSsrBuild ? false : { groups: CHUNKS } } },
  },
  server: { port: 3000, strictPort: true, proxy },
}));
