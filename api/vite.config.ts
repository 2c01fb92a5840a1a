import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  logLevel: 'warn',
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    minify: false,
    sourcemap: true,
    rollupOptions: {
      input: {
        main: join(root, 'src/main.ts'),
        cli: join(root, 'src/cli.ts'),
        // A thread's own file.
        'seal-thread': join(root, 'src/push/seal-thread.ts'),
        // Shares no file with the others, so that an image may leave sandbox.js out.
        sandbox: join(root, 'sandbox/main.ts'),
        ...Object.fromEntries(
          readdirSync(join(root, 'bench'))
            .filter((file) => file.endsWith('.ts'))
            .map((file) => [`bench-${basename(file, '.ts')}`, join(root, 'bench', file)]),
        ),
      },
      // All in one folder, as in src: what looks for a neighbour by its own place finds it from a chunk too.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  // The contract is source, so it is bundled; packages stay in node_modules.
  ssr: { noExternal: [/^@nivida\/contract/] },
});
