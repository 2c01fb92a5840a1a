import * as v from 'valibot';
import { expect, test } from 'vitest';
import { OutboxRequest } from './outbox.ts';
import { isScope } from './sync.ts';

const UUID = '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01';
const SEARCH = { wanted: 'kept', search: { id: UUID, name: 'Roads', filter: { state: 'Goa' }, openedUpTo: 0 } };
const OFFICE = { officeId: '0123456789ab', wanted: true };
const EMPTY = { bookmarks: [], searches: [], offices: [] };
const message = (body: object) => v.safeParse(OutboxRequest, body).issues?.[0]?.message;

test('changes of bookmarks, searches and offices are accepted', () => {
  expect(v.parse(OutboxRequest, EMPTY)).toEqual(EMPTY);
  expect(v.parse(OutboxRequest, { ...EMPTY, offices: [OFFICE] }).offices).toEqual([OFFICE]);
  for (const wanted of ['kept', 'opened', 'deleted'])
    expect(v.parse(OutboxRequest, { ...EMPTY, searches: [{ ...SEARCH, wanted }] }).searches[0]?.wanted).toBe(wanted);
});

test.each<[string, object, string | undefined]>([
  ['50 searches and offices', { searches: Array(50).fill(SEARCH), offices: Array(50).fill(OFFICE) }, undefined],
  ['51 searches', { searches: Array(51).fill(SEARCH) }, 'at most 50 searches'],
  ['51 offices', { offices: Array(51).fill(OFFICE) }, 'at most 50 offices'],
  ['a moved search', { searches: [{ ...SEARCH, wanted: 'moved' }] }, 'wanted must be kept, opened or deleted'],
  [
    'an id in capital letters',
    { offices: [{ ...OFFICE, officeId: '0123456789AB' }] },
    'This is not the id of an office',
  ],
  ['a long id', { offices: [{ ...OFFICE, officeId: '0123456789abc' }] }, 'This is not the id of an office'],
  [
    'an office that is neither wanted nor not',
    { offices: [{ ...OFFICE, wanted: 'yes' }] },
    'wanted must be true or false',
  ],
  ['records', { records: [] }, 'The body must have bookmarks, searches and offices, and nothing else'],
])('changes with %s are refused, if at all, with a reason', (_what, changes, reason) => {
  expect(message({ ...EMPTY, ...changes })).toBe(reason);
});

test('a pack is that of a state by its slug, or of all India', () => {
  expect(['himachal-pradesh', 'india', 'Himachal Pradesh', 'toString', ''].map(isScope)).toEqual([
    ...[true, true, false, false, false],
  ]);
});
