/** README's Map and the tree agree: what it names exists, and every folder that a newcomer meets is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** The block under "## Map", line by line. */
const MAP = (/^## Map\n```\n([\s\S]*?)^```/m.exec(README)?.[1] ?? '').trimEnd().split('\n');

/** A line of the Map: `names   what they are`, or, indented by two, names below the last one at the margin. */
interface Line {
  below: string;
  names: string[];
}

function readMap(): Line[] {
  const lines: Line[] = [];
  let margin = '';
  for (const text of MAP) {
    // Deeper lines go on with the text above.
    if (/^ {3}/.test(text)) continue;
    const isBelow = text.startsWith('  ');
    const [, first = ''] = /^ {0,2}(\S+(?: \S+)*?)(?: {2,}|$)/.exec(text) ?? [];
    const names = first.split(' ');
    if (!isBelow) margin = names[0] ?? '';
    lines.push({ below: isBelow ? margin : '', names: isBelow ? names : [margin] });
  }
  return lines;
}

const foldersOf = (path: string) =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'output'].includes(entry.name))
    .map(({ name }) => name);

/** The lines of the Map from the one that begins with `margin` to the next at the margin. */
function chapter(margin: string): string {
  const start = MAP.findIndex((line) => line.startsWith(margin));
  const rest = MAP.slice(start + 1);
  const end = rest.findIndex((line) => !line.startsWith(' '));
  return [MAP[start], ...rest.slice(0, end < 0 ? rest.length : end)].join('\n');
}

const isNamed = (name: string, text: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

test('every folder that the Map names exists', () => {
  const missing = readMap().flatMap(({ below, names }) =>
    names
      // The features of the app are listed behind their folder.
      .map((name) => join(below, name))
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `README's Map names ${path}, which is not there: take it out, or write its new name`),
  );
  expect(missing).toEqual([]);
});

test.each([
  ['api/src', 'api/src'],
  ['pwa/src', 'pwa/src'],
  ['pwa/src/features', 'pwa/src'],
])('every folder of %s is named in the Map', (path, margin) => {
  const text = chapter(margin);
  const unnamed = foldersOf(path).filter((name) => !isNamed(name, text));
  expect(unnamed.map((name) => `Add ${path}/${name} to README's Map, below ${margin}, with what it is for`)).toEqual(
    [],
  );
});

test('every folder at the top and directly below api is named in the Map', () => {
  const margins = MAP.join('\n');
  const top = foldersOf('.').filter((name) => !name.startsWith('.') && name !== 'api' && name !== 'pwa');
  const paths = [...top, ...foldersOf('api').map((name) => `api/${name}`)];
  const unnamed = paths.filter((path) => !isNamed(path, margins));
  expect(unnamed.map((path) => `Add a line for ${path} to README's Map`)).toEqual([]);
});

test('every topic of the contract is named in the Map', () => {
  const text = chapter('api/contract');
  const topics = readdirSync(join(ROOT, 'api/contract'))
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => basename(name, '.ts'));
  const unnamed = topics.filter((topic) => !isNamed(topic, text));
  expect(unnamed.map((topic) => `Add ${topic} to README's Map, at api/contract`)).toEqual([]);
});
