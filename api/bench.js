/** `npm run bench -- NAME`: runs one benchmark of api/bench as it was built; without a known name it lists them. */
import { globSync } from 'node:fs';
import { basename } from 'node:path';

// `tables` writes tables of the contract.
const names = globSync('bench/{*,data-in/*,load/*,tables/*}.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .sort();
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
