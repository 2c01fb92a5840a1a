// @vitest-environment-options { "url": "http://localhost/" }
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../../ui/test-page.tsx';

afterEach(async () => {
  await closeTestPages();
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
  const { results: shown } = await openTestHook(() => useStateCounts().answer?.states[0]?.open);
  return { shown, calls };
}

test('the counts of the page are shown without a call', async () => {
  const { shown, calls } = await openScreen(counts(3));
  expect([new Set(shown), calls]).toEqual([new Set([3]), []]);
});

test.each([[null], [{ states: 'none' }], [counts('many')], [counts(-1)], [{ states: [{ open: 3 }] }]])(
  'counts of another shape, %j, are asked for',
  async (embedded) => {
    const { shown, calls } = await openScreen(embedded);
    await expect.poll(() => shown.at(-1)).toBe(5);
    expect([shown[0], calls]).toEqual([undefined, ['/api/regions']]);
  },
);
