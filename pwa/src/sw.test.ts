// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from './data/device/database.ts';
import type { OutboxRequestRow } from './data/device/schema.ts';

class FakeEvent extends Event {
  readonly works: Promise<unknown>[] = [];
  waitUntil(work: Promise<unknown>): void {
    this.works.push(work);
  }
}

interface FakeTab {
  visibilityState: 'visible' | 'hidden';
  postMessage(message: unknown): void;
}

let scope: EventTarget & { registration: object };
let tabs: FakeTab[];
let messages: unknown[];
let sentPaths: string[];

const createTab = (visibilityState: FakeTab['visibilityState']): FakeTab => ({
  visibilityState,
  postMessage: (message) => messages.push(message),
});

/** Sends an event to the worker and waits for its work. */
async function dispatch(type: string, fields: object = {}): Promise<void> {
  const event = Object.assign(new FakeEvent(type), fields);
  scope.dispatchEvent(event);
  await Promise.all(event.works);
}

const ROW: OutboxRequestRow = {
  id: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
  owner: '',
  kind: 'contact',
  path: '/api/contact',
  body: { subject: 'Tenders of Kinnaur' },
  needs: 'nothing',
  authorization: null,
  at: 5,
  refusal: null,
  sentAt: null,
};

beforeEach(async () => {
  vi.resetModules();
  [tabs, messages, sentPaths] = [[], [], []];
  scope = Object.assign(new EventTarget(), {
    __WB_DISABLE_DEV_LOGS: true,
    __WB_MANIFEST: [{ url: '/index.html', revision: '1' }],
    location,
    registration: { scope: 'http://localhost/', installing: null, waiting: null },
    clients: { matchAll: async () => tabs, claim: async () => undefined },
  });
  vi.stubGlobal('self', scope);
  vi.stubGlobal('__WB_DISABLE_DEV_LOGS', true);
  vi.stubGlobal('registration', { scope: 'http://localhost/' });
  vi.stubGlobal('ExtendableEvent', FakeEvent);
  vi.stubGlobal('fetch', async (path: string) => {
    sentPaths.push(path);
    return Response.json({ success: true });
  });
  await import('./sw.ts');
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

describe('a sync event of the browser', () => {
  beforeEach(() => withDatabase((db) => db.outbox.put(ROW)));

  test.each<[string, FakeTab['visibilityState'][], string[]]>([
    ['sends the outbox while no tab is open', [], ['/api/contact']],
    ['sends the outbox while all tabs are in the background', ['hidden', 'hidden'], ['/api/contact']],
    ['leaves the outbox to a visible tab', ['hidden', 'visible'], []],
  ])('%s, and reaches every tab', async (_what, states, paths) => {
    tabs = states.map(createTab);
    await dispatch('sync', { tag: 'outbox' });
    expect(sentPaths).toEqual(paths);
    expect(messages).toEqual(states.map(() => ({ type: 'sync' })));
  });
});

describe('a page that is opened', () => {
  const OWN = 'http://localhost/index.html?__WB_REVISION__=1';
  const OTHER = 'http://localhost/assets/About-1.js';

  test.each<[string, FakeTab['visibilityState'][], object, string[]]>([
    ['deletes the files of other builds', [], {}, [OWN]],
    ['leaves them to an open tab', ['hidden'], {}, [OWN, OTHER]],
    ['leaves them while a newer build is being stored', [], { installing: {} }, [OWN, OTHER]],
    ['leaves them while a newer build waits', [], { waiting: {} }, [OWN, OTHER]],
  ])('%s', async (_what, states, registration, left) => {
    tabs = states.map(createTab);
    Object.assign(scope.registration, registration);
    const stored = new Set([OWN, OTHER]);
    const cache = {
      keys: async () => [...stored].map((url) => ({ url })),
      delete: async ({ url }: { url: string }) => stored.delete(url),
    };
    Object.assign(scope, { caches: { open: async () => cache } });
    // The worker leaves the address to the server.
    const request = Object.defineProperty(new Request('http://localhost/api/health'), 'mode', { value: 'navigate' });
    await dispatch('fetch', { request });
    expect([...stored]).toEqual(left);
  });
});
