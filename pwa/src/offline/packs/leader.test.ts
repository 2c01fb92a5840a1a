// @vitest-environment node
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { claimScope, releaseScope } from './leader.ts';

const AT = Date.parse('2026-11-10T06:00:00Z');

let db: DeviceDatabase;
beforeEach(() => {
  db = new DeviceDatabase('claims');
});
afterEach(() => db.delete());

const claim = (now: number, ownClaim: number | null = null, scope = 'goa') => claimScope(db, scope, now, ownClaim);

describe('a browser without locks: a tab that claims a scope', () => {
  test('blocks other tabs for 30 seconds after its last step', async () => {
    expect(await claim(AT)).toBe(AT);
    expect(await claim(AT)).toBe(false);
    expect(await claim(AT + 29_999)).toBe(false);
    expect(await claim(AT + 29_999, null, 'assam')).toBe(AT + 29_999);
    expect(await claim(AT + 30_000)).toBe(AT + 30_000);
  });

  test('claims it again with each step, until another tab has it', async () => {
    const first = await claim(AT);
    expect(await claim(AT + 20_000, first || null)).toBe(AT + 20_000);
    expect(await claim(AT + 45_000)).toBe(false);
    expect(await claim(AT + 50_000)).toBe(AT + 50_000);
    expect(await claim(AT + 51_000, AT + 20_000)).toBe(false);
  });

  test('loses it when the clock of the device is put back, and by its release', async () => {
    await claim(AT);
    expect(await claim(AT - 1)).toBe(AT - 1);
    expect(await claim(AT)).toBe(false);
    await releaseScope(db, 'goa');
    expect(await claim(AT)).toBe(AT);
  });
});
