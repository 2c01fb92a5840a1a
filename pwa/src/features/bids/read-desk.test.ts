import 'fake-indexeddb/auto';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { expect, test } from 'vitest';
import { observeDevice } from '../../data/device/database.ts';
import { saveRecord } from '../../data/records/records.ts';
import { storeOpenedTender } from '../../offline/packs/local-engines.ts';
import { type DeskRows, readDesk } from './read-desk.ts';

test('the desk shows what arrives later: the tender of a bid, a deposit, a part of it, the profile', async () => {
  const [bidId, depositId, releaseId] = [1, 2, 3].map((at) => `5f0c8a52-1c1e-4a54-9d3a-0f6f4b1f2a7${at}`) as [
    string,
    string,
    string,
  ];
  await saveRecord('bid', bidId, { tenderId: '5060', title: 'Road' }, 1);
  let rows: DeskRows | undefined;
  const stop = observeDevice(
    (db) => readDesk(db, ''),
    (next) => {
      rows = next;
    },
  );
  await expect.poll(() => rows?.bids.length).toBe(1);
  await storeOpenedTender(testTender({ _id: '5060' }) as Tender, 1);
  await expect.poll(() => [...(rows?.tenders.keys() ?? [])]).toEqual(['5060']);
  await saveRecord('deposit', depositId, { bidId, kind: 'emd' }, 2);
  await expect.poll(() => rows?.deposits.length).toBe(1);
  await saveRecord('release', releaseId, { depositId, amountPaise: 100 }, 3);
  await expect.poll(() => rows?.deposits[0]?.releases?.length).toBe(1);
  await saveRecord('profile', PROFILE_ID, { firmNames: ['Verma Builders'] }, 4);
  await expect.poll(() => rows?.firmNames).toEqual(['Verma Builders']);
  stop();
});
