import { beforeEach, expect, test } from 'vitest';
import { deleteTabDrafts } from '../../data/device/tab-drafts.ts';
import { readContactDraft, saveContactDraft } from './contact-draft.ts';

beforeEach(() => sessionStorage.clear());

const written = (message: string) => ({ typed: { message }, messageId: null });

test('a draft belongs to the user who typed it, or to the signed-out device', () => {
  saveContactDraft('7', written('A question of Asha'));
  saveContactDraft('', written('A question without an account'));
  expect(readContactDraft('8')).toEqual({ typed: {}, messageId: null });
  expect(readContactDraft('7')).toEqual(written('A question of Asha'));
  expect(readContactDraft('')).toEqual(written('A question without an account'));
});

test('the drafts of a signed-out user are deleted, those of the signed-out device stay', () => {
  saveContactDraft('7', written('A question of Asha'));
  saveContactDraft('', written('A question without an account'));
  deleteTabDrafts((owner) => owner === '7');
  expect(readContactDraft('7')).toEqual({ typed: {}, messageId: null });
  expect(readContactDraft('')).toEqual(written('A question without an account'));
});

test('when another user signs in, only the drafts of the previous user are deleted', () => {
  saveContactDraft('7', written('A question of Asha'));
  saveContactDraft('8', written('A question of Meena'));
  saveContactDraft('', written('A question without an account'));
  sessionStorage.setItem('registrationDraft', '{}');
  deleteTabDrafts((owner) => owner !== '8');
  expect(readContactDraft('7')).toEqual({ typed: {}, messageId: null });
  expect(readContactDraft('8')).toEqual(written('A question of Meena'));
  expect(readContactDraft('')).toEqual(written('A question without an account'));
  expect(sessionStorage.getItem('registrationDraft')).toBe('{}');
});

test('a draft comes back with all its fields and the id of its message', () => {
  const draft = {
    typed: {
      ...{ name: 'Asha', email: 'asha@example.in', phone: '9876543210', company: 'Verma Builders' },
      ...{ subject: 'Tenders of Kinnaur', message: 'A question', agreeToTerms: true },
    },
    messageId: '7e0b4f0e-5a52-4c0e-9a0a-0f3d1c9b7a01',
  };
  saveContactDraft('7', draft);
  expect(readContactDraft('7')).toEqual(draft);
});

test('a draft without a typed value leaves nothing in the tab', () => {
  saveContactDraft('7', written('A question'));
  saveContactDraft('7', { typed: {}, messageId: 'abc' });
  expect({ ...sessionStorage }).toEqual({});
});

test.each<[unknown, object]>([
  [
    { typed: { name: 7, agreeToTerms: 'yes', message: 'A question', website: 'x' }, messageId: 7 },
    written('A question'),
  ],
  [{ typed: 'text' }, { typed: {}, messageId: null }],
  [{ messageId: 'abc' }, { typed: {}, messageId: 'abc' }],
  ['text', { typed: {}, messageId: null }],
  [null, { typed: {}, messageId: null }],
])('of the stored draft %j what has another shape is left out', (stored, draft) => {
  sessionStorage.setItem('contactDraft of 7', JSON.stringify(stored));
  expect(readContactDraft('7')).toEqual(draft);
});
