// @vitest-environment node
import type { Messages } from '@lingui/core';
import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { expect, test } from 'vitest';
import { DOCUMENT_KINDS } from './match-kinds.ts';
import {
  documentName,
  documentValidity,
  expiringDocuments,
  groupByKind,
  type VaultDocument,
} from './vault-document.ts';

const NOON = new Date('2026-04-15T12:00:00+05:30');

test.each([
  ['2026-04-14', 'expired', 'Expired on 14 Apr 2026'],
  // the last day counts to its end
  ['2026-04-15', 'soon', 'Expires today, on 15 Apr 2026'],
  ['2026-04-16', 'soon', 'Expires tomorrow, on 16 Apr 2026'],
  ['2026-05-15', 'soon', 'Expires in 30 days, on 15 May 2026'],
  ['2026-05-16', 'valid', 'Valid till 16 May 2026'],
])('a document valid until %s is %s on 15 April: %s', (validUntil, validity, text) => {
  expect(documentValidity({ id: '1', kind: 'enlistment', validUntil }, NOON)).toEqual({ validity, text });
});

test('the day of a document is an Indian one', () => {
  const document = { id: '1', kind: 'enlistment', validUntil: '2026-04-15' };
  expect(documentValidity(document, new Date('2026-04-15T18:29:00Z')).validity).toBe('soon');
  expect(documentValidity(document, new Date('2026-04-15T18:30:00Z')).validity).toBe('expired');
});

test('without a date a kind that expires needs one, and another has none', () => {
  expect(documentValidity({ id: '1', kind: 'enlistment' }, NOON)).toEqual({
    validity: 'undated',
    text: 'No expiry date saved. Read the date and enter it.',
  });
  expect(documentValidity({ id: '1', kind: 'pan' }, NOON).text).toBe('No expiry date');
  expect(documentValidity({ id: '1', kind: 'a kind of a newer version' }, NOON).validity).toBe('lasting');
});

test('a document has the name that the user gave it, else that of its kind', () => {
  expect(documentName({ id: '1', kind: 'pan', title: 'PAN of the firm' })).toBe('PAN of the firm');
  expect(documentName({ id: '1', kind: 'pan', title: '' })).toBe('PAN card');
  expect(documentName({ id: '1' })).toBe('Document');
  const [catalogue] = Object.values(
    import.meta.glob<{ messages: Messages }>('../../../../texts/hi.po', { query: '?part=app', eager: true }),
  );
  addTexts('hi', catalogue?.messages ?? {});
  const names = inLanguage('hi', () => [
    documentName({ id: '1', kind: 'pan', title: 'PAN card, 2026_PWD_1_1' }),
    documentName({ id: '1', kind: 'pan', title: 'PAN card of the firm' }),
  ]);
  expect(names).toEqual(['PAN कार्ड, 2026_PWD_1_1', 'PAN card of the firm']);
});

test('documents are grouped by kind in the order of the kinds, those valid longest first', () => {
  const documents: VaultDocument[] = [
    { id: 'other', title: 'Letter' },
    { id: 'old', kind: 'enlistment', validUntil: '2026-01-01' },
    { id: 'new', kind: 'enlistment', validUntil: '2028-01-01' },
    { id: 'emd', kind: 'emd' },
    { id: 'b', kind: 'pan', title: 'PAN of the firm' },
    { id: 'a', kind: 'pan', title: 'PAN of Asha' },
    { id: 'newer', kind: 'a kind of a newer version', title: 'Affidavit' },
  ];
  expect(
    groupByKind(documents, DOCUMENT_KINDS).map(({ kind, documents: of }) => [kind?.id, of.map(({ id }) => id)]),
  ).toEqual([
    ['emd', ['emd']],
    ['enlistment', ['new', 'old']],
    ['pan', ['a', 'b']],
    [undefined, ['newer', 'other']],
  ]);
});

test('a document warns 30 and 7 days before its end and after it; a read warning returns at the next', () => {
  const document = { id: 'a', kind: 'enlistment', validUntil: '2026-05-15' };
  const on = (day: string, read: string[] = []) =>
    expiringDocuments([document], new Set(read), new Date(`${day}T00:10:00+05:30`)).map(({ key, text }) => [key, text]);
  expect(on('2026-04-14')).toEqual([]);
  expect(on('2026-04-15')).toEqual([['a 2026-05-15 30', 'Expires in 30 days, on 15 May 2026']]);
  expect(on('2026-05-07', ['a 2026-05-15 30'])).toEqual([]);
  expect(on('2026-05-08', ['a 2026-05-15 30'])).toEqual([['a 2026-05-15 7', 'Expires in 7 days, on 15 May 2026']]);
  expect(on('2026-05-16', ['a 2026-05-15 30', 'a 2026-05-15 7'])).toEqual([
    ['a 2026-05-15 0', 'Expired on 15 May 2026'],
  ]);
});

test('a renewed document warns again, and the most urgent comes first', () => {
  const documents: VaultDocument[] = [
    { id: 'a', validUntil: '2026-05-10' },
    { id: 'b', validUntil: '2026-04-10' },
    { id: 'c', validUntil: '2027-04-10' },
    { id: 'd' },
  ];
  const warned = expiringDocuments(documents, new Set(['a 2026-04-20 30']), NOON);
  expect(warned.map(({ document }) => document.id)).toEqual(['b', 'a']);
});
