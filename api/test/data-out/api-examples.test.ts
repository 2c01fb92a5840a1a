/** The examples of docs/api.md: each `sh` and `http` block runs against a started app. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiKeysService } from '../../src/data-out/keys/api-keys.service.ts';
import { OcdsDumpsService } from '../../src/data-out/ocds/ocds-dumps.service.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PAGE = join(import.meta.dirname, '../../../docs/api.md');
const page = await readFile(PAGE, 'utf8');
const blocksOf = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let app: TestApp;
let folder: string;
let variables: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-examples-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
  const tenders = [
    createSourceTender({ title: 'Bridge over the Sutlej' }),
    createSourceTender({ sourceId: '2026_PWD_100002_1' }),
  ];
  await importTenders(app.database.dataSource, tenders, { now: NOW });
  await app.app.get(OcdsDumpsService).write('himachal-pradesh', 2026);
  const { user } = await createSession(app);
  const { key } = await app.app.get(ApiKeysService).add(user._id, 'Examples', 'request');
  await app.app.listen(0, '127.0.0.1');
  variables = { ORIGIN: (await app.app.getUrl()).replace('[::1]', '127.0.0.1'), KEY: key };
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('the page has examples of both kinds', () => {
  expect([blocksOf('sh').length, blocksOf('http').length]).toEqual([4, 2]);
});

test.skipIf(!hasCurl).each(blocksOf('sh').map((text) => [text.split('\n', 1)[0], text]))(
  '%s',
  async (_line, text = '') => {
    const run = promisify(execFile);
    const env = { PATH: process.env.PATH ?? '', ...variables };
    const { stdout, stderr } = await run('bash', ['--norc', '--noprofile', '-euo', 'pipefail', '-c', text], {
      cwd: folder,
      env,
    });
    expect(stderr).toBe('');
    expect(stdout.trim()).not.toBe('');
  },
);

test.each(blocksOf('http').map((text) => [text.split('\n', 1)[0], text]))('%s', async (_line, text = '') => {
  const [request = '', answer = ''] = text.trim().split('\n\n');
  const [line = '', ...headers] = request.split('\n');
  const [, method = '', url = ''] = /^(\w+) (\S+) HTTP\/1\.1$/.exec(line) ?? [];
  const pairs = (lines: string[]) => Object.fromEntries(lines.map((each) => each.split(': ') as [string, string]));
  const sent = pairs(headers.map((header) => header.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? '')));
  const reply = await fetch(`${variables.ORIGIN}${url}`, { method, headers: sent });
  const [status = '', ...expected] = answer.split('\n');
  expect(`HTTP/1.1 ${reply.status} ${reply.statusText}`).toBe(status);
  for (const [name, value] of Object.entries(pairs(expected))) expect(reply.headers.get(name)).toBe(value);
});
