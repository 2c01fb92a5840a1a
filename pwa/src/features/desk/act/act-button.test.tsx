import { UNATTENDED_HEADER } from '@nivida/contract/desk/act';
import { act } from 'react';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signInForTest } from '../../../data/test-session.ts';
import { useToast } from '../../../ui/feedback/toast.ts';
import { openTestPage } from '../../../ui/test-page.tsx';
import { readDeskFile, sendAct } from '../data/desk-call.ts';
import { openGate, useGate } from '../gate/gate.ts';
import { ActButton } from './ActButton.tsx';

/** The acts that were sent, and the answers to them in order. The last answer is repeated. */
const sent: { url: string; key: string | null; body: unknown }[] = [];
const unattended: (string | null)[] = [];
let answers: (() => Response | Promise<Response>)[] = [];
const onLine = vi.spyOn(navigator, 'onLine', 'get');

const refusal = (code: string, message: string, status: number) => () =>
  Response.json({ code, message, requestId: '1' }, { status });
const lost = () => Promise.reject(new TypeError('Failed to fetch'));
const done = () => Response.json({ name: 'Asha' });

beforeEach(() => {
  sent.length = 0;
  unattended.length = 0;
  answers = [done];
  onLine.mockReturnValue(true);
  signInForTest('7');
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/api/desk/')) return Response.json({}, { status: 503 });
    unattended.push(request.headers.get(UNATTENDED_HEADER));
    sent.push({
      url: new URL(request.url).pathname,
      key: request.headers.get('idempotency-key'),
      body: await request.clone().json(),
    });
    return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? lost();
  });
});
afterEach(() => {
  vi.useRealTimers();
  useToast.setState({ current: undefined });
});

const openAct = (props: { version?: number; undo?: { path: string } } = {}) =>
  openTestPage(
    <ActButton
      label="Close"
      title="Close the thread?"
      path="threads/5/close"
      body={{ version: props.version ?? 1 }}
      schema={v.object({ name: v.string() })}
      done={({ name }) => `Closed for ${name}`}
      undo={() => props.undo}
      usualReasons={['Answered']}
    />,
  );

/** Opens the dialog and gives a reason. */
async function begin(page: Awaited<ReturnType<typeof openAct>>, reason = 'answered by phone') {
  await page.press('Close');
  await page.enter('Reason stays in the audit log', reason);
}
const submit = async (page: Awaited<ReturnType<typeof openAct>>) => {
  const button = page.page.querySelector<HTMLButtonElement>('dialog [type="submit"]');
  await act(async () => button?.click());
};
const toast = () => useToast.getState().current?.text;

test('an act asks for its reason, is sent with it and says that it is done', async () => {
  const page = await openAct();
  await begin(page, 'ok');
  await submit(page);
  expect(page.errorAt('Reason stays in the audit log')).toBe('Give a reason of 3 to 300 characters');
  expect(sent).toEqual([]);
  await page.press('Answered');
  await submit(page);
  await expect.poll(toast).toBe('Closed for Asha');
  expect(sent).toEqual([
    {
      url: '/api/desk/threads/5/close',
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: { version: 1, reason: 'Answered' },
    },
  ]);
  expect(page.page.querySelector('dialog')).toBeNull();
});

test('a reason is offered again for the next act of its kind', async () => {
  const page = await openAct();
  await begin(page, 'wrote twice');
  await submit(page);
  await expect.poll(toast).toBe('Closed for Asha');
  await page.press('Close');
  await page.press('wrote twice');
  expect(page.field('Reason stays in the audit log').value).toBe('wrote twice');
  expect(JSON.stringify(localStorage)).not.toContain('wrote twice');
});

test('an act whose answer is lost is sent again with the same key', async () => {
  answers = [lost, done];
  const page = await openAct();
  await begin(page);
  await submit(page);
  await expect.poll(toast).toBe('Closed for Asha');
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test('while no answer comes, the act cannot be changed, and is asked for with the same key', async () => {
  answers = [lost, lost, lost, done];
  const page = await openAct();
  await begin(page);
  await submit(page);
  await expect.poll(() => page.text()).toContain('It may be done already');
  expect(page.page.querySelector('fieldset')?.disabled).toBe(true);
  await page.press('Ask again');
  await expect.poll(toast).toBe('Closed for Asha');
  expect(new Set(sent.map(({ key, body }) => JSON.stringify([key, body]))).size).toBe(1);
  expect(sent).toHaveLength(4);
});

test('offline nothing is sent, at once or later', async () => {
  onLine.mockReturnValue(false);
  const page = await openAct();
  await begin(page);
  await submit(page);
  await expect.poll(() => page.text()).toContain('You are offline: this needs a connection. Nothing was sent.');
  onLine.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(sent).toEqual([]);
  expect(page.field('Reason stays in the audit log').value).toBe('answered by phone');
});

test('a conflict says what the other person did, and the act can be done all the same', async () => {
  answers = [refusal('CONFLICT', 'Ravi has closed this at 11:30 AM', 409), done];
  const page = await openAct();
  await begin(page);
  await submit(page);
  await expect.poll(() => page.text()).toContain('Ravi has closed this at 11:30 AM');
  expect(page.hasButton('Leave it')).toBe(true);
  await page.press('Do it all the same');
  await expect.poll(toast).toBe('Closed for Asha');
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('an act that needs a passkey waits for it, with all that was typed', async () => {
  answers = [refusal('PASSKEY_NEEDED', 'Show your passkey again for this', 403), done];
  const page = await openAct();
  await begin(page);
  await submit(page);
  await expect.poll(() => useGate.getState().question).toBe('Show your passkey again for this');
  expect(page.field('Reason stays in the audit log').value).toBe('answered by phone');
  await act(async () => openGate());
  await expect.poll(toast).toBe('Closed for Asha');
  expect(sent[1]).toEqual(sent[0]);
});

test('what a page asks after a minute without a touch or a key is marked, and a file waits for the passkey too', async () => {
  const marks: (string | null)[] = [];
  answers = [refusal('PASSKEY_NEEDED', 'Show your passkey to open the desk', 403), done];
  vi.stubGlobal('fetch', async (request: Request) => {
    marks.push(request.headers.get(UNATTENDED_HEADER));
    return answers.length > 1 ? answers.shift()?.() : done();
  });
  const at = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
  const file = readDeskFile('people/5/export');
  await expect.poll(() => useGate.getState().question).toBe('Show your passkey to open the desk');
  window.dispatchEvent(new Event('keydown'));
  at.mockRestore();
  openGate();
  expect(await (await file).text()).toBe('{"name":"Asha"}');
  expect(marks).toEqual(['true', null]);
});

test('screen readers, voice and switches use the page, too, and an act is never marked', async () => {
  const now = performance.now();
  const at = vi.spyOn(performance, 'now');
  vi.stubGlobal('fetch', async (request: Request) => {
    unattended.push(request.headers.get(UNATTENDED_HEADER));
    return done();
  });
  for (const [n, name] of ['click', 'input', 'focusin'].entries()) {
    at.mockReturnValue(now + (n + 1) * 100_000);
    document.body.dispatchEvent(new Event(name, { bubbles: true }));
    await readDeskFile('people/5/export');
  }
  at.mockReturnValue(now + 500_000);
  await readDeskFile('people/5/export');
  await sendAct({ path: 'threads/5/close', body: {}, key: '1' }, v.unknown());
  at.mockRestore();
  expect(unattended).toEqual([null, null, null, 'true', null]);
});

test('Enter submits the reason, and not while it ends a word of an input method', async () => {
  const page = await openAct();
  await begin(page);
  const enter = (more: object) =>
    act(async () => {
      const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...more });
      page.field('Reason stays in the audit log').dispatchEvent(event);
    });
  await enter({ isComposing: true });
  await enter({ keyCode: 229 });
  expect(sent).toEqual([]);
  await enter({});
  await expect.poll(toast).toBe('Closed for Asha');
});

test('an act is undone with its reason', async () => {
  const page = await openAct({ undo: { path: 'threads/5/open' } });
  await begin(page);
  await submit(page);
  await expect.poll(() => useToast.getState().current?.action?.label).toBe('Undo');
  await act(async () => useToast.getState().current?.action?.run());
  await expect.poll(toast).toBe('Undone');
  expect(sent[1]).toMatchObject({ url: '/api/desk/threads/5/open', body: { reason: 'Undone: answered by phone' } });
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});
