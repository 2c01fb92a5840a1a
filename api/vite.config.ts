import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vite';
import { linguiCatalogues, linguiMacros } from '../lingui.ts';

const root = import.meta.dirname;

/** NIVIDA_VERSION, the tag of an image, else the version of the root package.json. */
function builtVersion(): string {
  const { NIVIDA_VERSION = '' } = process.env;
  // The default tag of an image says nothing about its content.
  if (NIVIDA_VERSION !== '' && NIVIDA_VERSION !== 'latest') return NIVIDA_VERSION;
  return JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')).version;
}

export default defineConfig({
  root,
  logLevel: 'warn',
  plugins: [linguiMacros(), linguiCatalogues()],
  define: { BUILT_VERSION: JSON.stringify(builtVersion()) },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      // Packages of the benchmarks are not installed where an image is built.
      external: Object.keys(JSON.parse(readFileSync(join(root, 'bench/measure/package.json'), 'utf8')).devDependencies),
      // Times of a build say something about the machine only.
      checks: { bundlerTimings: false },
      input: {
        main: join(root, 'src/main.ts'),
        cli: join(root, 'src/cli.ts'),
        // A thread's own file.
        'seal-thread': join(root, 'src/push/sending/seal-thread.ts'),
        // Processes of their own.
        'read-spreadsheet': join(root, 'src/ingest/files/read-spreadsheet.ts'),
        'read-document': join(root, 'src/reading/read-document.ts'),
        // Shares only the bundler's runtime with the others, so that an image may leave sandbox.js out.
        sandbox: join(root, 'sandbox/main.ts'),
        ...Object.fromEntries(
          globSync('bench/{*,data-in/*,load/*,tables/*}.ts', { cwd: root }).map((file) => [
            `bench-${basename(file, '.ts')}`,
            join(root, file),
          ]),
        ),
      },
      // All in one folder, as in src: what looks for a neighbour by its own place finds it from a chunk too.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // The contract is source. The packages named next are many small files: bundled, a program starts in two thirds of the time.
  // The QR codes are the sandbox's, so that production needs no package of it.
  ssr: {
    noExternal: [
      /^@nivida\/contract/,
      /^@nestjs\//,
      /^rxjs/,
      /^es-toolkit/,
      'typeorm',
      'qrcode',
      'pngjs',
      'dijkstrajs',
    ],
  },
});
