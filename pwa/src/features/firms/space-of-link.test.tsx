// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Firm } from '@nivida/contract/firms/firms';
import { afterEach, expect, test } from 'vitest';
import { withDatabase } from '../../data/device/database.ts';
import { firmListKey } from '../../data/firms/firm-list.ts';
import { chooseSpace, currentRecordOwner } from '../../data/firms/space.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { SpaceOfLink } from './SpaceOfLink.tsx';

afterEach(async () => {
  await closeTestPages();
  chooseSpace(undefined);
  clearSession();
});

test('a link to a firm shows its records to a member, and leaves another user with the own ones', async () => {
  const userId = 'asha';
  signInForTest(userId);
  await withDatabase((db) => db.settings.put({ key: firmListKey(userId), value: [{ id: 'f1' } as Firm] }));
  await openTestPage(<SpaceOfLink firmId="f2" />);
  await openTestPage(<SpaceOfLink firmId="f1" />);
  await expect.poll(currentRecordOwner).toBe(`${userId} f1`);
  chooseSpace(undefined);
  await openTestPage(<SpaceOfLink firmId="f2" />);
  expect(currentRecordOwner()).toBe(userId);
});
