/** `npm run bench -- NAME`: runs one benchmark of api/bench as it was built; without a known name it lists them. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

const names = readdirSync(join(import.meta.dirname, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => basename(file, '.ts'));
const name = process.argv[2] ?? '';

if (process.argv.includes('--help')) {
  process.stdout.write(`Usage: npm run bench -- NAME\n\nNAME: ${names.join(', ')}\n`);
} else if (names.includes(name)) {
  await import(`./dist/bench-${name}.js`);
} else {
  const problem = name === '' ? 'Name a benchmark' : `There is no benchmark "${name}"`;
  process.stderr.write(`${problem}: ${names.join(', ')}\n`);
  process.exitCode = 2;
}
