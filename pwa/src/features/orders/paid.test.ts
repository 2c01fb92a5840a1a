// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import { closeDevice, onDevice } from '../../data/device.ts';
import { clearSession, rereadSession } from '../../data/session.ts';
import { forgetPaid, paidFor, readPaid, rememberPaid } from './paid.ts';

afterEach(async () => {
  clearSession();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const sibling = (id: string) => ({ _id: id, title: 'Culvert', source_tender_id: '2026_PWD_1_2' });

test('documents bought signed out are known by their tender and by the other works of its notice', async () => {
  await rememberPaid({ orderId: 'first', tenderId: '7' });
  await rememberPaid({ orderId: 'second', tenderId: '9' });
  await rememberPaid({ orderId: 'second', tenderId: '9' });
  const orders = await readPaid();
  expect(orders).toHaveLength(2);
  expect(paidFor(orders, { _id: '7', nit_siblings: [] })).toBe('first');
  expect(paidFor(orders, { _id: '8', nit_siblings: [sibling('9')] })).toBe('second');
  expect(paidFor(orders, { _id: '8', nit_siblings: [] })).toBeNull();
});

test('they are offered again when the money went back', async () => {
  await rememberPaid({ orderId: 'first', tenderId: '7' });
  await forgetPaid('first');
  expect(await readPaid()).toEqual([]);
});

test('an order of an account is not remembered for the next user of the device', async () => {
  localStorage.setItem('token', 'token-7');
  localStorage.setItem('user', JSON.stringify({ _id: '7', username: 'A', email: 'a@b.example', mobileNo: '' }));
  rereadSession();
  await rememberPaid({ orderId: 'first', tenderId: '7' });
  expect(await readPaid()).toEqual([]);
});
