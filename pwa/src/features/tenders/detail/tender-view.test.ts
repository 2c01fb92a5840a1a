import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { TenderView } from './TenderView.tsx';

test('a moved closing is beside the facts on a phone, and in the side column of a wide screen', () => {
  const moved: Tender['corrigenda'][number] = {
    ...{ title: 'Extension', type: 'Date', noticed_at: '2026-04-12T05:30:00.000Z' },
    changes: [{ field: 'closing_date', old: '2026-04-15T05:30:00.000Z', new: '2026-04-20T05:30:00.000Z' }],
  };
  const view = (corrigenda: Tender['corrigenda']) => {
    const page = document.createElement('div');
    const props = {
      ...{ tender: testTenderDetail({ corrigenda }), now: new Date('2026-04-13T05:30:00Z') },
      ...{ backLabel: 'Back', onBack: () => undefined, renderActions: () => null, checklist: null },
      ...{ documents: { way: 'ask', note: '' } as const, onDocuments: () => undefined },
    };
    page.innerHTML = renderToStaticMarkup(createElement(MemoryRouter, null, createElement(TenderView, props)));
    return ['article', 'aside'].map((part) => page.querySelector(`${part} dl del`)?.parentElement?.parentElement);
  };
  for (const note of view([moved])) expect(note?.textContent).toMatch(/^Was.*15 Apr.*Now.*20 Apr/);
  expect(view([])).toEqual([undefined, undefined]);
});
