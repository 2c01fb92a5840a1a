/**
 * `node keep-product.js api/dist`: deletes from the built API what the server and its commands do not import. What stays is
 * listed, not what goes, so that nothing that is built for tests and trials gets into an image by itself.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Started by name: the server, the commands, the thread that seals pushes. */
const PROGRAMS = ['main.js', 'cli.js', 'seal-thread.js'];
const IMPORT = /(?:from|import)\s*\(?\s*["']\.\/([\w.-]+\.js)["']/g;

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: keep-product.js FOLDER\n\nDeletes from the built API in FOLDER what the product does not import.\n',
  );
  process.exit();
}
const [folder] = process.argv.slice(2);
const kept = new Set();

function keep(name) {
  if (kept.has(name)) return;
  kept.add(name);
  for (const [, imported] of readFileSync(join(folder, name), 'utf8').matchAll(IMPORT)) keep(imported);
}

for (const program of PROGRAMS) keep(program);
for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
