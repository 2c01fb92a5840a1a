/** The files of the built server: the payment sandbox is one separate file, which an image does not contain. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/base/config.ts';
import { runLimitedProgram } from '../../src/base/limited-program.ts';
import { pdfOf } from '../support/generated-documents/pdf.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'api/dist');
/** A text of every page of the sandbox and of no other file. */
const BANNER = 'TEST MODE, no money moves';

const read = (name: string) => readFileSync(join(DIST, name), 'utf8');
const built = () => readdirSync(DIST).filter((name) => name.endsWith('.js'));

/** A file of the build and all files that it imports, directly or indirectly. */
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

test('sandbox.js is the complete sandbox: of other files it needs the runtime of the bundler only, which the server has too', () => {
  expect(built().filter((name) => read(name).includes(BANNER))).toEqual(['sandbox.js']);
  const shared = [...filesOf('sandbox.js')].filter((name) => name !== 'sandbox.js');
  expect(shared.filter((name) => !name.startsWith('rolldown-runtime-'))).toEqual([]);
  expect([...filesOf('main.js')]).toEqual(expect.arrayContaining(shared));
});

test('an image contains only the files that server, commands and sealing thread import: no sandbox, benchmark or source map', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nivida-dist-'));
  try {
    cpSync(DIST, folder, { recursive: true });
    const run = spawnSync(process.execPath, [join(ROOT, 'docker/remove-unused-files.js'), folder], {
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const needed = ['main.js', 'cli.js', 'seal-thread.js', 'read-spreadsheet.js', 'read-document.js'].flatMap(
      (entry) => [...filesOf(entry)],
    );
    expect(readdirSync(folder).sort()).toEqual([...new Set(needed)].sort());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the built reader of documents finds its packages within its permissions', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nivida-built-reader-'));
  try {
    const path = join(folder, 'notice.pdf');
    writeFileSync(path, await pdfOf([[{ cells: ['Earnest Money', 'Rs. 12,300/-'] }]]));
    const limits = { seconds: 60, heapMb: 384, readable: [path, DIST] };
    const end = await runLimitedProgram(join(DIST, 'read-document.js'), [path, '{"pages":9,"characters":999}'], limits);
    expect(end).toMatchObject({ answer: expect.stringContaining('"amount":"12300.00"') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('every setting', () => {
  /** The payment sandbox does not run in production. */
  const ELSEWHERE = ['PAYMENT_SANDBOX_PORT'];
  const textOf = (name: string) => readFileSync(join(ROOT, name), 'utf8');
  const missingIn = (text: string) =>
    SETTING_NAMES.filter((name) => !new RegExp(`(?<![A-Z_])${name}(?![A-Z_])`).test(text));

  test('is in the files of Docker: in .env.example, the secrets, compose.yml or the image', () => {
    const files = ['.env.example', 'new-secrets.sh', 'compose.yml', 'Dockerfile'].map((name) =>
      textOf(`docker/${name}`),
    );
    expect(missingIn(files.join('\n'))).toEqual(ELSEWHERE);
  });
});

test('the image has the Node version of the tests', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const dockerfile = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8');
  expect(dockerfile).toContain(`FROM node:${devDependencies.node}-`);
});
