/** Links of the documents resolve, and the page of settings is complete. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { slugOf } from '../../../site/slug.js';
import { SETTING_NAMES } from '../../src/base/config.ts';
import { usageOf } from '../../src/cli/usage.ts';
import { type LimitName, type LimitSubject, RATE_LIMITS, windowsOf } from '../../src/http/limits/rate-limits.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAGES = globSync(['*.md', '.github/*.md', 'docs/**/*.md'], { cwd: ROOT });

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const anchors = (text: string) => new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugOf(heading)));

test.each(PAGES)('every link of %s leads to a file and a heading that exist', (page) => {
  const targets = [...read(page).matchAll(/(?:\]\(|src=")([^)"\s]+)[)"]/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [path = '', fragment] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, file))) return true;
    return fragment !== undefined && !anchors(read(file)).has(fragment);
  });
  expect(broken).toEqual([]);
});

test.each(PAGES)('no cell of a table of %s has more than 200 characters', (page) => {
  const text = read(page)
    .split(/^```.*$/m)
    .filter((_, n) => n % 2 === 0)
    .join('\n');
  const cells = [...text.matchAll(/^\|(.*)\|$/gm)].flatMap(([, row = '']) => row.split(/(?<!\\)\|/));
  expect(cells.filter((cell) => cell.trim().length > 200)).toEqual([]);
});

/** Names of files that an engineer adds. */
const PLACEHOLDERS = ['api/src/payments/name-gateway.ts', 'pwa/src/screens/x/Name.screen.tsx'];
const FILES = globSync('{.github,api,docker,docs,e2e,pwa}/**/*.*', {
  cwd: ROOT,
  exclude: (name) => /node_modules|dist|output/.test(typeof name === 'string' ? name : ''),
});

test.each(PAGES)('every file that %s names with its folder is in the repository', (page) => {
  // A name in capitals in front is a variable: `DATA_DIR/secrets.json`.
  const names = [...read(page).matchAll(/`((?:\w*[a-z.][\w.-]*\/)(?:[\w.-]+\/)*[\w.-]+\.[a-z]+)`/g)].map(
    ([, name = '']) => name,
  );
  const isKnown = (name: string) =>
    PLACEHOLDERS.includes(name) ||
    existsSync(join(ROOT, name)) ||
    FILES.filter((file) => file.endsWith(`/${name}`)).length === 1;
  expect(names.filter((name) => !isKnown(name))).toEqual([]);
});

test('the page of settings has a row for every variable, and no other', () => {
  const rows = [...read('docs/configuration.md').matchAll(/^\| (`[A-Z][^|]*) \|/gm)].map(([, names = '']) => names);
  const listed = rows.flatMap((names) => [...names.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name));
  expect(listed.toSorted()).toEqual([...SETTING_NAMES].sort());
});

test('the page of operations has a row with the numbers of every rate limit, and no other', () => {
  const [, section = ''] = /\n## Limits\n(.*?)(?=\n## )/s.exec(read('docs/operations.md')) ?? [];
  const listed = [...section.matchAll(/^\| (`.*?) \| [^|]+ \|$/gm)].map(([, cells]) => cells);
  const periods = new Map([
    [60, 'a minute'],
    [600, 'in 10 minutes'],
    [900, 'in 15 minutes'],
    [3_600, 'an hour'],
    [86_400, 'a day'],
  ]);
  const text = (name: LimitName, subject: LimitSubject) =>
    windowsOf(name, subject)
      .map(({ max, perSeconds }) => `${max.toLocaleString('en-IN')} ${periods.get(perSeconds)}`)
      .join(', ');
  const person = (name: LimitName) =>
    (
      [
        ['account', 'account'],
        ['email', 'mailbox'],
        ['mailbox', 'all its askers'],
        ['order', 'order'],
      ] as const
    )
      .flatMap(([subject, label]) => (text(name, subject) ? [`${label}: ${text(name, subject)}`] : []))
      .join('; ');
  const names = Object.keys(RATE_LIMITS) as LimitName[];
  const cells = names.map((name) => [`\`${name}\``, person(name), text(name, 'device'), text(name, 'address')]);
  expect(listed).toEqual(
    cells.map((row) =>
      row
        .join(' | ')
        .replaceAll(/(?<=\|) {2}(?=\||$)/g, ' ')
        .trimEnd(),
    ),
  );
});

test.each(['docs/architecture.md', 'docs/glossary.md'])(
  'every function, class, type and constant that %s names is in the code',
  (page) => {
    const sources = globSync('{api/{src,contract,sandbox},pwa/src}/**/*.{ts,tsx}', { cwd: ROOT });
    const words = new Set(sources.flatMap((file) => read(file).match(/\w+/g) ?? []));
    const names = [...read(page).matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+)(?:\(\))?`/g)];
    expect(names.length).toBeGreaterThan(5);
    expect(names.map(([, name = '']) => name).filter((name) => !words.has(name))).toEqual([]);
  },
);

test('every decision, section of the specification and document that code cites is in the repository', () => {
  const known = anchors(read('docs/requirements.md'));
  const names = new Set(PAGES.map((page) => basename(page)));
  const files = globSync(
    ['api/**/*.{ts,js}', 'pwa/**/*.{ts,tsx,css}', 'e2e/**/*.ts', 'docker/{*.*,Dockerfile,Caddyfile}'],
    {
      cwd: ROOT,
      exclude: (name) => /node_modules|dist|output/.test(typeof name === 'string' ? name : ''),
    },
  );
  const missing = files.flatMap((file) => {
    const text = existsSync(join(ROOT, file)) ? read(file) : '';
    return [...text.matchAll(/\b(?:R\d{1,2}|SPEC section \d+|[\w-]+\.md)\b/g)]
      .map(([cited]) => cited)
      .filter((cited) => !(cited.endsWith('.md') ? names : known).has(cited.endsWith('.md') ? cited : slugOf(cited)))
      .map((cited) => `${file}: ${cited}`);
  });
  expect(missing).toEqual([]);
});

/** Each `npm run NAME -- …` of a page, with all its words up to the end of the code. */
const commandsOf = (page: string) =>
  [...read(page).matchAll(/npm run (?:-s )?([a-z][a-z-]*)((?: [^`|\n&)]*)?)/g)].map(([, name = '', rest = '']) => ({
    name,
    rest,
  }));

test.each(['docs/runbook.md', 'docs/operations.md', 'docs/data.md', 'docs/try-it.md', 'docs/run-it.md', 'README.md'])(
  'every command of %s has the acts and options that its usage names',
  async (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const wrong: string[] = [];
    for (const { name, rest } of commandsOf(page)) {
      if (scripts[name] === undefined) wrong.push(`npm run ${name}`);
      if (!scripts[name]?.includes('run -s cli -- ')) continue;
      const usage = await usageOf(name);
      const [, act = ''] = /^ -- ([a-z-]+)(?= |$)/.exec(rest) ?? [];
      const options = [...rest.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option);
      for (const word of [act, ...options])
        if (!new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(usage)) wrong.push(`npm run ${name}${rest}: ${word}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('no step of the runbook needs SQL', () => {
  expect(read('docs/runbook.md')).not.toMatch(
    /psql|\b(?:DELETE FROM|UPDATE \w+ SET|INSERT INTO|SELECT .* FROM|VACUUM)\b/,
  );
});
