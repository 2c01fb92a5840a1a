import type { DeskFeed, DeskFile, FileColumns } from '@nivida/contract/desk/data-in';
import { act } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { signInForTest } from '../../../data/test-session.ts';
import { openTestPage } from '../../../ui/test-page.tsx';
import { reloadDesk } from '../data/desk-query.ts';
import { AcceptHeldFiles } from './AcceptHeldFiles.tsx';
import { FilePage } from './FilePage.tsx';

const COUNTS = { read: 2, new: 0, changed: 2, unchanged: 0, rejected: 0 };
const MAPPED = [
  ['No', 'tender_id'],
  ['Work', 'title'],
  ['Office', 'organisation'],
  ['Till', 'closing'],
  ['Cost', 'value'],
] as const;
/** A file whose count found another state; it was asked for Kerala, with a mapping that is not saved. */
const FILE: DeskFile = {
  ...{ id: 'f1', name: 'list.csv', portal: 'pwd', state: 'Kerala', format: 'auto', status: 'refused', isDryRun: true },
  ...{ sentAt: '2026-11-10T06:00:00.000Z', endedAt: '2026-11-10T06:01:00.000Z', progress: null },
  ...{ counts: COUNTS, problem: { code: 'state', text: 'Most places lie in Goa' } },
  ...{
    sender: 'Asha',
    bytes: 100,
    isHere: true,
    hasRejects: false,
    accepts: [],
    rejects: [],
    tenders: [],
    rejections: [],
    notes: [],
  },
  mapping: {
    columns: MAPPED.map(([column, field]) => ({ column, field, unit: field === 'value' ? 'lakh' : 'rupee' })),
    fixed: {},
    state: 'Kerala',
  },
};
const COLUMNS: FileColumns = {
  ...{ table: null, other_tables: [], header_line: 1, format: null, mapping: null, saved: null },
  columns: MAPPED.map(([column]) => ({ column, samples: ['x'], guess: null, by: null })),
};

const sent: { path: string; body: unknown }[] = [];
let file: DeskFile;

beforeEach(() => {
  sent.length = 0;
  file = FILE;
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/desk/', '');
    if (request.method === 'POST') {
      const body = await request.json();
      sent.push({ path, body });
      if (path.endsWith('/count')) file = { ...file, state: body.state, mapping: body.mapping };
      return Response.json(path.startsWith('data/feeds') ? { name: 'pwd' } : file);
    }
    if (path === 'data/portals') return Response.json({ rows: [] });
    if (path === 'data/files/f1') return Response.json(file);
    return path === 'data/files/f1/columns' ? Response.json(COLUMNS) : Response.json({}, { status: 503 });
  });
});

test('a file that is opened again has the state and the mapping that it was counted with', async () => {
  const page = await openTestPage(<FilePage id="f1" />, '/desk/data/f1');
  await expect.poll(() => page.hasButton('Import all the same')).toBe(true);
  expect(page.text()).not.toContain('The settings differ');
  expect(page.field('State of all rows').value).toBe('Kerala');
  expect(page.field('Numbers of “Cost” are in').value).toBe('lakh');

  await page.enter('State of all rows', '');
  expect([page.field('State of all rows').value, page.text()]).toEqual([
    '',
    expect.stringContaining('The settings differ'),
  ]);
  await page.press('Show what would change');
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({ state: null, mapping: { ...FILE.mapping, state: null } });
  await expect.poll(() => page.hasButton('Import all the same')).toBe(true);
  expect(page.field('State of all rows').value).toBe('');
});

const held = (name: string) => ({ name, sha256: `sha of ${name}`, problem: 'mass-change' as const, text: 'Many rows' });
const feed = (...names: string[]): DeskFeed => ({
  ...{
    name: 'pwd',
    portal: 'pwd',
    source: 'folder',
    every_minutes: 60,
    tried_at: null,
    succeeded_at: null,
    error: null,
  },
  ...{ held_files: names.map(held), counts: null, paused_at: null, paused_reason: null },
});

test('only files are accepted that the dialog showed when it was opened, each time anew', async () => {
  const shown = (...names: string[]) => (
    <AcceptHeldFiles feed={feed(...names)} path="data/feeds/pwd" onDone={reloadDesk} />
  );
  const page = await openTestPage(shown('one.csv'));
  const box = 'Many tenders may lose a field or move their dates';
  await page.press('Import all the same');
  await page.toggle(box);
  await page.press('Cancel');
  await page.press('Import all the same');
  expect(page.field(box).checked).toBe(false);
  await page.toggle(box);
  await page.show(shown('one.csv', 'two.csv'));
  expect(page.text()).not.toContain('two.csv');
  await page.enter('Reason stays in the audit log', 'the portal confirmed it');
  await act(async () => page.page.querySelector<HTMLButtonElement>('dialog [type="submit"]')?.click());
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({
    accepts: ['mass-change'],
    files: [{ name: 'one.csv', sha256: 'sha of one.csv' }],
  });
});
