// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase } from '../../../data/device/database.ts';

const MINUTE = 60_000;
const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The app after a reload: memory is lost, storage is not. */
async function reload() {
  vi.resetModules();
  return import('./idempotency-key.ts');
}

afterEach(async () => {
  const { deletePaymentIntent: forgetIntent } = await reload();
  await forgetIntent();
  await closeDatabase();
});

test('the same order has the same key for ten minutes, also after a reload', async () => {
  const first = await reload();
  const key = await first.idempotencyKey('order', 0);
  expect(key).toMatch(UUID_V4);
  expect(await first.idempotencyKey('order', 9 * MINUTE)).toBe(key);
  const { idempotencyKey: intentKey } = await reload();
  expect(await intentKey('order', 10 * MINUTE - 1)).toBe(key);
  // Ten minutes after the first submit, not after the last.
  expect(await intentKey('order', 10 * MINUTE)).not.toBe(key);
});

test('in a browser that stores nothing the same order has the same key until the buyer gives up', async () => {
  const { idempotencyKey: intentKey, deletePaymentIntent: forgetIntent } = await reload();
  await closeDatabase();
  const opening = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  const key = await intentKey('order', 0);
  expect(await intentKey('order', 9 * MINUTE)).toBe(key);
  await forgetIntent();
  expect(await intentKey('order', 9 * MINUTE)).not.toBe(key);
  expect(opening).toHaveBeenCalled();
  opening.mockRestore();
});

test.each(['key', 'order', 'at'])('a stored intent without its %s is not used', async (field) => {
  const key = await (await reload()).idempotencyKey('order', 0);
  const { idempotencyKey: intentKey } = await reload();
  const { readSetting, writeSetting } = await import('../../../data/device/settings.ts');
  const stored = (await readSetting('payment intent')) as object;
  expect(stored).toMatchObject({ key, at: 0 });
  await writeSetting('payment intent', { ...stored, [field]: undefined });
  const other = await intentKey('order', 0);
  expect(other).toMatch(UUID_V4);
  expect(other).not.toBe(key);
});

test('after ten minutes it is another order', async () => {
  const { idempotencyKey: intentKey } = await reload();
  const key = await intentKey('order', 0);
  expect(await intentKey('order', 10 * MINUTE)).not.toBe(key);
});

test('after the clock was set back it is another order', async () => {
  const { idempotencyKey: intentKey } = await reload();
  const key = await intentKey('order', 60 * MINUTE);
  expect(await intentKey('order', 59 * MINUTE)).not.toBe(key);
});

test('an order that was changed has a key of its own', async () => {
  const { idempotencyKey: intentKey } = await reload();
  const key = await intentKey('order', 0);
  expect(await intentKey('changed order', 0)).not.toBe(key);
});

test('after the buyer gave up, the same order is a new intent', async () => {
  const { idempotencyKey: intentKey, deletePaymentIntent: forgetIntent } = await reload();
  const key = await intentKey('order', 0);
  await forgetIntent();
  expect(await intentKey('order', 0)).not.toBe(key);
});
