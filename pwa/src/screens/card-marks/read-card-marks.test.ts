import 'fake-indexeddb/auto';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { expect, test } from 'vitest';
import { observeDevice } from '../../data/device/database.ts';
import { saveRecord } from '../../data/records/records.ts';
import { type ReadCardMarks, readCardMarks } from './read-card-marks.ts';

test('cards show a bid and an enlistment that are entered while the list is open', async () => {
  const [bidId, enlistmentId] = [1, 2].map((at) => `5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a8${at}`) as [string, string];
  let marks: ReadCardMarks | undefined;
  const stop = observeDevice(
    (db) => readCardMarks(db, ''),
    (next) => {
      marks = next;
    },
  );
  await expect.poll(() => marks?.hasEnlistment).toBe(false);
  await saveRecord('enlistment', enlistmentId, { authority: 'cpwd' }, 1);
  await expect.poll(() => marks?.hasEnlistment).toBe(true);
  await saveRecord('bid', bidId, { tenderId: '5060', title: 'Road' }, 2);
  await expect.poll(() => marks?.markOf(testTender({ _id: '5060' }))?.text).toBe('Preparing');
  stop();
});
