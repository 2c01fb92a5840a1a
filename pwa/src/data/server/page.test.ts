import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  document.head.innerHTML = '';
  vi.resetModules();
});

const block = (id: string, text: string) => `<script type="application/json" id="${id}">${text}</script>`;

test('the page data is the data that the server wrote into the page', async () => {
  const answer = { call: 'api/regions', at: '2026-11-10T06:00:00.000Z', answer: { states: [] } };
  document.head.innerHTML = block('site', '{"socialUrl":null}') + block('answer', JSON.stringify(answer));
  expect((await import('./page.ts')).page).toEqual({ site: { socialUrl: null }, answer });
});

test.each(['', block('answer', 'not JSON'), block('answer', 'null')])(
  'a page with "%s" has no answer',
  async (html) => {
    document.head.innerHTML = html;
    expect((await import('./page.ts')).page.answer).toBeUndefined();
  },
);
