import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ChecklistRow } from '../../data/bid-documents/checklist-rows.ts';
import { DocumentRow, tickChange } from './DocumentRow.tsx';

test('the checkbox of a portal line with spaces is described by its state', () => {
  const row: ChecklistRow = {
    ...{ key: 'line:estimate of work', kind: undefined, name: 'Estimate of work', lines: ['Estimate of work'] },
    ...{ badges: [], check: undefined, document: undefined, status: 'unmarked', text: 'Not marked yet', isOwn: false },
  };
  const props = { row, now: new Date('2026-04-10T12:00:00+05:30'), onMark: () => undefined };
  const page = document.createElement('ul');
  page.innerHTML = renderToStaticMarkup(createElement(DocumentRow, props));
  const ids = page.querySelector('input')?.getAttribute('aria-describedby')?.split(' ') ?? [];
  const described = ids.map((id) => [...page.querySelectorAll('[id]')].find((each) => each.id === id)?.textContent);
  expect(described).toEqual(['☐ Not marked yet']);
});

test.each([
  ['a row is ready when it is ticked', undefined, true, 'ready'],
  ['a mark goes when it is unticked', undefined, false, null],
  ['a row that a document serves is missing when it is unticked', { id: 'p', kind: 'pan' }, false, 'missing'],
])('%s', (_name, served, isTicked, state) => {
  expect(tickChange({ document: served }, isTicked)).toEqual({ state });
});
