// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import { closeDevice, onDevice } from '../../data/device.ts';
import { clearSession, rereadSession } from '../../data/session.ts';
import { forgetSearchesOf, readRecent, rememberSearch, useRecent } from './recent.ts';

afterEach(async () => {
  clearSession();
  await onDevice((db) => db.delete());
  await closeDevice();
});

function signIn(id: string): void {
  localStorage.setItem('token', `token-${id}`);
  const user = { _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
  localStorage.setItem('user', JSON.stringify(user));
  rereadSession();
}

async function recent(): Promise<readonly string[]> {
  await readRecent();
  return useRecent.getState().searches;
}

test('recent searches belong to their user and go at the sign-out; those of the signed-out device stay', async () => {
  await rememberSearch('q=road');
  signIn('7');
  expect(await recent()).toEqual([]);
  await rememberSearch('q=bridge');
  signIn('8');
  expect(await recent()).toEqual([]);
  clearSession();
  expect(await recent()).toEqual(['q=road']);
  signIn('7');
  expect(await recent()).toEqual(['q=bridge']);
  await forgetSearchesOf('7');
  expect(await recent()).toEqual([]);
});
