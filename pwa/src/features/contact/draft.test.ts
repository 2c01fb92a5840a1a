import { beforeEach, expect, test } from 'vitest';
import { forgetDrafts } from '../../data/drafts.ts';
import { readDraft, saveDraft } from './draft.ts';

beforeEach(() => sessionStorage.clear());

const written = (message: string) => ({ typed: { message }, messageId: null });

test('a draft belongs to the user who typed it, or to the signed-out device', () => {
  saveDraft('7', written('A question of Asha'));
  saveDraft('', written('A question without an account'));
  expect(readDraft('8')).toEqual({ typed: {}, messageId: null });
  expect(readDraft('7')).toEqual(written('A question of Asha'));
  expect(readDraft('')).toEqual(written('A question without an account'));
});

test('the drafts of a user who has left are forgotten, those of the signed-out device stay', () => {
  saveDraft('7', written('A question of Asha'));
  saveDraft('', written('A question without an account'));
  forgetDrafts((owner) => owner === '7');
  expect(readDraft('7')).toEqual({ typed: {}, messageId: null });
  expect(readDraft('')).toEqual(written('A question without an account'));
});

test('when another user signs in the drafts of the user before are forgotten, and nothing else of this tab', () => {
  saveDraft('7', written('A question of Asha'));
  saveDraft('8', written('A question of Meena'));
  saveDraft('', written('A question without an account'));
  sessionStorage.setItem('registrationDraft', '{}');
  forgetDrafts((owner) => owner !== '8');
  expect(readDraft('7')).toEqual({ typed: {}, messageId: null });
  expect(readDraft('8')).toEqual(written('A question of Meena'));
  expect(readDraft('')).toEqual(written('A question without an account'));
  expect(sessionStorage.getItem('registrationDraft')).toBe('{}');
});
