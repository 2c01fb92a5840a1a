/** What the built server consists of: the payment sandbox is one file beside it, which an image leaves out. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const DIST = resolve(import.meta.dirname, '../dist');
/** Every page of the sandbox says it, and nothing else does. */
const BANNER = 'TEST MODE, no money moves';

const read = (name: string) => readFileSync(join(DIST, name), 'utf8');
const built = () => readdirSync(DIST).filter((name) => name.endsWith('.js'));

/** The files of the build that a file imports, however deep, itself included. */
function filesOf(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const [, name = ''] of read(entry).matchAll(/(?:from|import)\s*\(?\s*["']\.\/([\w.-]+\.js)["']/g))
    filesOf(name, found);
  return found;
}

test.each(['main.js', 'cli.js'])('%s does not import the sandbox, however deep', (entry) => {
  const files = [...filesOf(entry)];
  expect(files.length).toBeGreaterThan(1);
  expect(files).not.toContain('sandbox.js');
  expect(files.filter((name) => read(name).includes(BANNER))).toEqual([]);
});

test('sandbox.js is the whole sandbox, and shares no file with the server', () => {
  expect(built().filter((name) => read(name).includes(BANNER))).toEqual(['sandbox.js']);
  expect([...filesOf('sandbox.js')]).toEqual(['sandbox.js']);
});
