// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
});

const GOA = { state: 'Goa', slug: 'goa', open: 3, demonstration: false, fresh: 1, closing: [] };
const counts = (open: unknown) => ({ day: 20_000, states: [{ ...GOA, open }], fetched_at: '2026-11-10T06:00:00.000Z' });

/** The counts on a screen of a page with this answer, and the calls that it makes. */
async function openScreen(embedded: unknown) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    calls.push(new URL(request.url).pathname);
    return Response.json(counts(5));
  });
  const answer = { call: 'api/regions', at: new Date().toISOString(), answer: embedded };
  document.head.innerHTML = `<script type="application/json" id="answer">${JSON.stringify(answer)}</script>`;
  vi.resetModules();
  const { useStateCounts } = await import('./state-counts.ts');
  const shown: (number | undefined)[] = [];
  const Screen = () => {
    shown.push(useStateCounts().answer?.states[0]?.open);
    return null;
  };
  const root = createRoot(document.createElement('div'));
  const router = createMemoryRouter([{ path: '/', Component: Screen }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  return { shown, calls, close: () => act(async () => root.unmount()) };
}

test('the counts of the page are shown without a call', async () => {
  const { shown, calls, close } = await openScreen(counts(3));
  expect([new Set(shown), calls]).toEqual([new Set([3]), []]);
  await close();
});

test.each([[null], [{ states: 'none' }], [counts('many')], [counts(-1)], [{ states: [{ open: 3 }] }]])(
  'counts of another shape, %j, are asked for',
  async (embedded) => {
    const { shown, calls, close } = await openScreen(embedded);
    await expect.poll(() => shown.at(-1)).toBe(5);
    expect([shown[0], calls]).toEqual([undefined, ['/api/regions']]);
    await close();
  },
);
