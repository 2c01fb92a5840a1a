import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, test } from 'vitest';
import { TenderView } from '../detail/TenderView.tsx';

/** The page of a tender, opened at a tab. */
async function openTender(tender: Partial<Tender> = {}, tab = '') {
  const page = document.createElement('div');
  const view = createElement(TenderView, {
    ...{ tender: testTenderDetail(tender), now: new Date('2026-04-13T05:30:00Z') },
    ...{ backLabel: 'Back', onBack: () => undefined, renderActions: () => null, checklist: 'The sheet' },
    ...{ documents: { way: 'ask', note: '' } as const, onDocuments: () => undefined },
  });
  const router = createMemoryRouter([{ path: '/', element: view }], { initialEntries: [`/${tab}`] });
  const root = createRoot(page);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  return { page, close: () => act(async () => root.unmount()) };
}

test('a moved closing is beside the facts on a phone, and in the side column of a wide screen', async () => {
  const moved: Tender['corrigenda'][number] = {
    ...{ title: 'Extension', type: 'Date', noticed_at: '2026-04-12T05:30:00.000Z' },
    changes: [{ field: 'closing_date', old: '2026-04-15T05:30:00.000Z', new: '2026-04-20T05:30:00.000Z' }],
  };
  const notes = async (corrigenda: Tender['corrigenda']) => {
    const { page, close } = await openTender({ corrigenda });
    const dates = ['article', 'aside'].map((part) => page.querySelector(`${part} dl:has(del)`)?.textContent);
    await close();
    return dates;
  };
  for (const note of await notes([moved])) expect(note).toMatch(/^Was.*15 Apr.*Now.*20 Apr/);
  expect(await notes([])).toEqual([undefined, undefined]);
});

test.each([
  ['', true],
  ['#documents', true],
  ['#checklist', false],
])('a tender printed at the tab "%s" has its facts: %s', async (tab, hasFacts) => {
  const { page, close } = await openTender({ description: 'With a culvert' }, tab);
  const facts = () => ['With a culvert', 'Bid submission ends'].map((text) => page.textContent?.includes(text));
  window.dispatchEvent(new Event('beforeprint'));
  expect(facts()).toEqual([hasFacts, hasFacts]);
  await act(async () => void window.dispatchEvent(new Event('afterprint')));
  expect(facts()).toEqual([tab === '', false]);
  await close();
});
