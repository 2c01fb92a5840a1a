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
