import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storeApp, storeAppWhenUsed, storeLoadedFiles } from './app-files/store-app.ts';
import { whenUsed } from './when-used.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of ['connection', 'serviceWorker']) Reflect.deleteProperty(navigator, name);
});

test.each(['pointerup', 'pointercancel', 'keydown', 'wheel'])('a page is used once with the first %s', (event) => {
  const used = vi.fn();
  whenUsed(used);
  expect(used).not.toHaveBeenCalled();
  window.dispatchEvent(new Event(event));
  window.dispatchEvent(new Event(event));
  vi.advanceTimersByTime(60_000);
  expect(used).toHaveBeenCalledOnce();
});

test('a page without a touch is used after twelve seconds', () => {
  const used = vi.fn();
  whenUsed(used);
  vi.advanceTimersByTime(11_999);
  expect(used).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(used).toHaveBeenCalledOnce();
});

test('a page that was opened by a link of the app is used at once', () => {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(`${location.origin}/tenders/results?state=Goa`);
  const used = vi.fn();
  whenUsed(used);
  expect(used).toHaveBeenCalledOnce();
});

test('a page that is left before its use is not used', () => {
  const used = vi.fn();
  whenUsed(used)();
  window.dispatchEvent(new Event('pointerup'));
  vi.advanceTimersByTime(60_000);
  expect(used).not.toHaveBeenCalled();
});

/** A worker that receives the app's messages. */
function stubWorker(): object[] {
  const messages: object[] = [];
  const ready = Promise.resolve({ active: { postMessage: (message: object) => messages.push(message) } });
  Object.defineProperty(navigator, 'serviceWorker', { value: { ready }, configurable: true });
  return messages;
}
/** The connection that the browser reports; returns a function that changes it. */
function stubConnection(type: string): (to: string) => void {
  const connection = Object.assign(new EventTarget(), { type });
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  return (to) => {
    connection.type = to;
    connection.dispatchEvent(new Event('change'));
  };
}
const messagesSent = () => vi.advanceTimersByTimeAsync(0);

test('the app is stored at the first touch, or at once where it is used already', async () => {
  const messages = stubWorker();
  storeAppWhenUsed(false);
  await messagesSent();
  expect(messages).toEqual([]);
  window.dispatchEvent(new Event('pointerup'));
  await messagesSent();
  expect(messages).toEqual([{ type: 'STORE_APP' }]);
  storeAppWhenUsed(true);
  await messagesSent();
  expect(messages).toHaveLength(2);
  await storeApp();
  expect(messages).toHaveLength(3);
});

test('on a mobile connection the app is not stored before Wi-Fi, unless it is on the home screen', async () => {
  const messages = stubWorker();
  const change = stubConnection('cellular');
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  storeAppWhenUsed(false);
  window.dispatchEvent(new Event('pointerup'));
  await messagesSent();
  expect(messages).toEqual([]);
  change('wifi');
  // Mobile data before the first touch.
  change('cellular');
  window.dispatchEvent(new Event('pointerup'));
  await messagesSent();
  expect(messages).toEqual([]);
  change('wifi');
  window.dispatchEvent(new Event('pointerup'));
  await messagesSent();
  expect(messages).toHaveLength(1);
  stubConnection('cellular');
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(display-mode: standalone)' }));
  storeAppWhenUsed(true);
  await messagesSent();
  expect(messages).toHaveLength(2);
});

test('with the data saver on the app is not stored', async () => {
  const messages = stubWorker();
  Object.defineProperty(navigator, 'connection', { value: { type: 'wifi', saveData: true }, configurable: true });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  storeAppWhenUsed(true);
  await messagesSent();
  expect(messages).toEqual([]);
});

test('the page sends the worker the files of the app that it has loaded', async () => {
  const messages = stubWorker();
  let observed: object | undefined;
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(readonly report: (list: { getEntries: () => { name: string }[] }) => void) {}
      observe(what: object) {
        observed = what;
        const names = ['/assets/main-1.js', '/api/site', 'https://cdn.example/assets/list-2.js', '/tenders/assets/'];
        this.report({
          getEntries: () => names.map((name) => ({ name: new URL(name, 'https://nivida.example').href })),
        });
      }
    },
  );
  await storeLoadedFiles();
  expect(observed).toEqual({ type: 'resource', buffered: true });
  expect(messages).toEqual([
    {
      type: 'STORE_FILES',
      urls: ['https://nivida.example/assets/main-1.js', 'https://cdn.example/assets/list-2.js'],
    },
  ]);
});
