// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { EMPTY_FILTER, type PlaceFilter } from '@nivida/contract/filter/tender-filter';
import type { Suggestion } from '@nivida/contract/search/suggest-works';
import { act, createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ScopeRow } from '../../data/device/schema.ts';

interface Call {
  /** The workers are numbered in the order of their start. */
  worker: number;
  text: string;
  answer: (found: Suggestion[]) => Promise<void>;
}

/** The engines' calls for suggestions, which a test answers. */
let calls: Call[];
let root: Root;
let endTest: () => Promise<void>;

beforeEach(() => {
  calls = [];
  let workers = 0;
  class FakeWorker {
    private readonly worker = workers++;
    private reply: (event: { data: object }) => void = () => undefined;

    addEventListener(type: string, listener: typeof this.reply) {
      if (type === 'message') this.reply = listener;
    }

    postMessage({ id, call, args }: { id: number; call: string; args: unknown[] }) {
      const answer = (given: unknown) => this.reply({ data: { id, answer: given } });
      if (call === 'load') answer({ rows: 1, isComplete: true, rebuilt: [] });
      else
        calls.push({
          ...{ worker: this.worker, text: String(args[0]) },
          answer: (found) => act(async () => answer(found)),
        });
    }

    terminate() {}
  }
  vi.stubGlobal('Worker', FakeWorker);
});
afterEach(() => endTest());

/** A form on a phone with the packs of these states; `show` types a text. */
async function openForm(states: string[], within: Partial<PlaceFilter> = {}) {
  vi.resetModules();
  const [{ useSuggestions }, { setRows, usePacks }, { closeDatabase, withDatabase }] = await Promise.all([
    import('./useSuggestions.ts'),
    import('../../offline/packs/pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  const file = (hash: string) => ({ hash, bytes: 1, size: 1, url: `/api/sync/segments/${hash}` });
  const segments = [{ rows: 1, list: file('1'), detail: file('2') }];
  const rows = states.map((scope): ScopeRow => {
    const current = { epoch: 'one', cursor: 'one.1.0', rows: 1, segments, checked: {} };
    return { scope, current, next: null, files: { 'index 1 2': 8 }, savedAt: 0, changed: 0, replaces: null };
  });
  await withDatabase(async (db) => {
    await db.scopes.bulkPut(rows);
    for (const scope of states)
      await db.packFiles.put({ scope, name: 'index 1 2', kind: 'index', index: new ArrayBuffer(8) });
  });
  setRows(rows);
  const place: PlaceFilter = { ...EMPTY_FILTER, ...within };
  const Form = ({ text }: { text: string }) =>
    useSuggestions(text, place)
      .map((each) => each.text)
      .join(', ');
  const page = document.createElement('div');
  root = createRoot(page);
  endTest = async () => {
    await act(async () => root.unmount());
    usePacks.setState({ isRead: false, hinted: [], scopes: {} });
    await withDatabase((db) => db.delete());
    await closeDatabase();
    localStorage.clear();
    vi.unstubAllGlobals();
    vi.resetModules();
  };
  return {
    show: (text: string) => act(async () => root.render(createElement(Form, { text }))),
    shown: () => page.textContent,
  };
}

const asked = () => calls.map(({ worker, text }) => `${worker} ${text}`);
const answer = (nth: number, kind: Suggestion['kind'], ...texts: string[]) =>
  calls[nth]?.answer(texts.map((text) => ({ text, kind })));

test('an id is looked for in one pack after the other, and other words in none', async () => {
  const { show, shown } = await openForm(['goa', 'assam']);
  await show('2026_pwd');
  await expect.poll(asked).toEqual(['0 2026_pwd']);
  await answer(0, 'id');
  await expect.poll(asked).toEqual(['0 2026_pwd', '1 2026_pwd']);
  await answer(1, 'id', '2026_PWD_1_1');
  await expect.poll(shown).toBe('2026_PWD_1_1');
  await show('bri');
  await expect.poll(asked).toEqual(['0 2026_pwd', '1 2026_pwd', '2 bri']);
  await answer(2, 'word', 'bridge');
  await expect.poll(shown).toBe('bridge');
});

test('an id that no pack has is completed without tenders', async () => {
  const { show, shown } = await openForm(['goa']);
  await show('2026_pwd');
  await expect.poll(asked).toEqual(['0 2026_pwd']);
  await answer(0, 'id');
  await expect.poll(asked).toEqual(['0 2026_pwd', '1 2026_pwd']);
  await answer(1, 'word', '2026');
  await expect.poll(shown).toBe('2026');
});

test('a newer id ends the search for the older one', async () => {
  const { show, shown } = await openForm(['goa']);
  await show('2026_p');
  await expect.poll(asked).toEqual(['0 2026_p']);
  await show('2026_pw');
  await answer(0, 'id');
  await expect.poll(asked).toEqual(['0 2026_p', '0 2026_pw']);
  await answer(1, 'id', '2026_PWD_1_1');
  await expect.poll(shown).toBe('2026_PWD_1_1');
  expect(asked()).toEqual(['0 2026_p', '0 2026_pw']);
});

test('words that replace an id are completed, although the pack has answered about the id afterwards', async () => {
  const { show, shown } = await openForm(['goa']);
  await show('2026_p');
  await expect.poll(asked).toEqual(['0 2026_p']);
  await show('bri');
  await expect.poll(asked).toEqual(['0 2026_p', '1 bri']);
  await answer(0, 'id');
  await answer(1, 'word', 'bridge');
  await expect.poll(shown).toBe('bridge');
  expect(asked()).toHaveLength(2);
});

test('words of a state are completed by its pack only, and one letter not at all', async () => {
  const { show, shown } = await openForm(['goa', 'assam'], { state: 'Assam' });
  await show('br');
  await expect.poll(asked).toEqual(['0 br']);
  await answer(0, 'word', 'bridge');
  await expect.poll(shown).toBe('bridge');
  await show(' b ');
  expect(shown()).toBe('');
  await show('2026_pwd');
  await expect.poll(asked).toEqual(['0 br', '0 2026_pwd']);
  await answer(1, 'id');
  await expect.poll(shown).toBe('');
  expect(asked()).toHaveLength(2);
});
