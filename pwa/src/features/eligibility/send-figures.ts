/** The user's answer to the question whether figures of an earlier build may be sent to the account. */
import { isDeleted } from '@nivida/contract/bids/merge-records';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { recordChange } from '../../data/outbox/pending-changes.ts';
import {
  consentRecordKey,
  deleteFiguresConsent,
  figuresConsentKey,
  readFiguresConsent,
} from '../../data/records/figures-consent.ts';
import { inRecordTransaction } from '../../data/records/record-rows.ts';
import { sendRecordsSoon } from '../../data/records/sync-records.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** `ask`: figures wait for an answer; `declined`: the user keeps them on the phone; `none`: no figures wait. */
export type SendQuestion = 'ask' | 'declined' | 'none';

async function readWaitingRows(db: DeviceDatabase, owner: string, records: readonly string[]) {
  const waiting = new Set(records);
  const rows = await db.records.where('owner').equals(owner).toArray();
  return rows.filter((row) => waiting.has(consentRecordKey(row)));
}

/** Whether the user is to be asked. A signed-out user has no account to send figures to. */
export async function readSendQuestion(db: DeviceDatabase, owner: string): Promise<SendQuestion> {
  const consent = owner === '' ? undefined : await readFiguresConsent(db, owner);
  if (!consent || (await readWaitingRows(db, owner, consent.records)).every(isDeleted)) return 'none';
  return consent.isDeclined ? 'declined' : 'ask';
}

/** The user agrees. Figures that were deleted before are removed from the device and never sent. One transaction. */
export function allowSending(db: DeviceDatabase, owner: string): Promise<void> {
  return inRecordTransaction(db, async () => {
    const consent = await readFiguresConsent(db, owner);
    if (!consent) return;
    for (const { kind, id } of (await readWaitingRows(db, owner, consent.records)).filter(isDeleted)) {
      await db.records.delete([owner, kind, id]);
      await db.outbox.delete(recordChange(owner, kind, id, 0).id);
    }
    await deleteFiguresConsent(db, owner);
  });
}

/** The user keeps the figures on the phone; the answer can be changed later. */
export function declineSending(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const consent = await readFiguresConsent(db, owner);
    if (consent) await db.settings.put({ key: figuresConsentKey(owner), value: { ...consent, isDeclined: true } });
  });
}

/** Stores the signed-in user's answer and begins to send. */
export async function answerSendQuestion(isAllowed: boolean): Promise<void> {
  const owner = currentOwner();
  try {
    await withDatabase((db) => (isAllowed ? allowSending(db, owner) : declineSending(db, owner)));
  } catch (error) {
    const text =
      error instanceof DatabaseUnavailableError
        ? `${storageProblem()}, so your answer cannot be saved.`
        : 'Your answer was not saved. Free some storage and answer again.';
    return showToast({ text });
  }
  if (!isAllowed) return;
  showToast({ text: 'Your figures will be sent to your account.', passing: true });
  sendRecordsSoon();
}
