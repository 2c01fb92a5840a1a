/**
 * `node remove-unused-files.js api/dist`: deletes the files of the built API that the server and its commands do not
 * import, so that no code for tests gets into an image.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Entry points: the server, the commands, the thread that encrypts pushes, the readers of workbooks and documents. */
const PROGRAMS = ['main.js', 'cli.js', 'seal-thread.js', 'read-spreadsheet.js', 'read-document.js'];
const IMPORT = /(?:from|import)\s*\(?\s*["']\.\/([\w.-]+\.js)["']/g;

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: remove-unused-files.js FOLDER\n\nDeletes from the built API in FOLDER what the product does not import.\n',
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
