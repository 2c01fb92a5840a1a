// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { pathOfLink, visibleActions } from './notifications.ts';
import { parsePushText } from './payload.ts';

const notification = {
  title: 'Closing tomorrow · 11:00 AM',
  body: 'Footbridge at Bharmour\nChamba · 2026_PWD_7_1',
  lang: 'en-IN',
  dir: 'ltr',
  tag: 'closing-7',
  navigate: 'https://nivida.example/tenders/7?n=abcdefghijklmnop',
  actions: [{ action: 'open', title: 'Open', navigate: 'https://nivida.example/tenders/7' }],
  data: { nid: 'abcdefghijklmnop', rcpt: 'rcpt', kind: 'closing', tenderIds: ['7'], patches: [] },
};
const push = (changes: object) => JSON.stringify({ web_push: 8030, notification: { ...notification, ...changes } });

describe('a push', () => {
  test('is read as the server wrote it', () => {
    expect(parsePushText(push({}))).toEqual(notification);
  });

  test('of an unknown kind is shown with its own title and text', () => {
    const data = { ...notification.data, kind: 'kind-of-a-newer-server' };
    expect(parsePushText(push({ data }))).toEqual({ ...notification, data });
  });

  test.each<[what: string, text: string | undefined]>([
    ['without text', undefined],
    ['that is no JSON', 'Closing tomorrow'],
    ['that is null', 'null'],
    ['without a notification', '{"web_push":8030}'],
    ['whose title is a number', push({ title: 7 })],
    ['without an address', push({ navigate: undefined })],
    ['without a recipient', push({ data: { ...notification.data, rcpt: undefined } })],
  ])('%s is none of ours', (_what, text) => {
    expect(parsePushText(text)).toBeUndefined();
  });

  test.each(['title', 'body', 'tag', 'navigate'])('without its %s is none of ours', (name) => {
    expect(parsePushText(push({ [name]: undefined }))).toBeUndefined();
  });

  test.each(['nid', 'rcpt', 'kind'])('without the text %s in its data is none of ours', (name) => {
    expect(parsePushText(push({ data: { ...notification.data, [name]: 7 } }))).toBeUndefined();
  });

  test('leaves out the parts of its lists that are broken', () => {
    const patch = {
      tenderId: '7',
      version: 2,
      oldClosing: '2026-04-15T05:30:00.000Z',
      newClosing: '2026-04-20T05:30:00.000Z',
    };
    const patches = [
      patch,
      { ...patch, version: 'two' },
      { ...patch, newClosing: 'soon' },
      { ...patch, tenderId: '../7' },
      { ...patch, interimClosings: null },
      7,
    ];
    const read = parsePushText(
      push({
        actions: [{ action: 'open' }, 'open'],
        data: { ...notification.data, tenderIds: ['7', 7, 'x'], patches },
      }),
    );
    expect(read?.actions).toEqual([]);
    expect(read?.data.tenderIds).toEqual(['7']);
    expect(read?.data.patches).toEqual([patch]);
  });
});

describe('a tap on a notification', () => {
  test.each<[navigate: string, path: string]>([
    ['https://nivida.example/tenders/7?n=abcdefghijklmnop', '/tenders/7'],
    ['https://nivida.example/notices?n=abcdefghijklmnop', '/notices'],
    ['https://nivida.example/tenders/results?state=Punjab&n=abcdefghijklmnop#x', '/tenders/results?state=Punjab#x'],
    ['https://evil.example/tenders/7', '/notices'],
    ['http://nivida.example/tenders/7', '/notices'],
    ['javascript:alert(1)', '/notices'],
    ['/tenders/7', '/notices'],
  ])('on one for %s opens %s', (navigate, path) => {
    expect(pathOfLink(navigate, 'https://nivida.example', 'en')).toBe(path);
  });
});

describe('the buttons of a notification', () => {
  const all = ['open', 'calendar', 'unbookmark'].map((action) => ({ action, title: action, navigate: '' }));
  test.each<[most: number, shown: string[]]>([
    [0, []],
    [1, ['calendar']],
    [2, ['calendar', 'unbookmark']],
    [3, ['open', 'calendar', 'unbookmark']],
  ])('where a browser shows %i are %j', (most, shown) => {
    expect(visibleActions(all as Parameters<typeof visibleActions>[0], most).map(({ action }) => action)).toEqual(
      shown,
    );
  });
});
