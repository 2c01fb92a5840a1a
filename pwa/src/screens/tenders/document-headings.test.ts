import type { Tender } from '@nivida/contract/tenders/tender';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { Documents } from '../../features/tenders/detail/Documents.tsx';

test("the documents' headings follow the page's heading without a gap", () => {
  const documents = [
    { cover: 'Fee/PreQual/Technical', type: 'pdf', name: 'Copy of PAN' },
    { cover: 'biddingDocuments', type: 'pdf', name: 'NIT' },
  ];
  const tender = { documents, source_portal: 'hptenders', nit_works: null } as unknown as Tender;
  const props = { tender, action: { way: 'demonstration', note: '' } } as unknown as Parameters<typeof Documents>[0];
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(createElement(MemoryRouter, null, createElement(Documents, props)));
  const headings = [...page.querySelectorAll('h1, h2, h3, h4')].map(({ tagName, textContent }) => [
    tagName,
    textContent,
  ]);
  expect(headings).toEqual([
    ['H2', 'What you must upload'],
    ['H2', 'What the portal lists'],
  ]);
});
