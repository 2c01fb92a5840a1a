/** Actions of the follow buttons: change the device, show it with "Undo", send it. */
import { t } from '@lingui/core/macro';
import type { OfficeReference } from '@nivida/contract/awards/awards';
import { officeLabel } from '@nivida/contract/awards/office';
import { MAX_FOLLOWED_OFFICES } from '@nivida/contract/limits';
import { currentTime } from '../../../data/clock.ts';
import { requestPersistentStorage } from '../../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../../data/device/database.ts';
import { writeWithEviction } from '../../../data/device/storage-quota.ts';
import { sendsLaterText } from '../../../data/outbox/background-sync.ts';
import { hasConnection } from '../../../data/server/reachability.ts';
import { currentOwner, currentSession, ofPresentOwner } from '../../../data/session.ts';
import { showToast } from '../../../ui/feedback/toast.ts';
import { followOffice, refreshOffices, TooManyOfficesError, unfollowOffice } from './followed-offices.ts';

function failureText(error: unknown): string {
  if (error instanceof TooManyOfficesError)
    return t`At most ${MAX_FOLLOWED_OFFICES} offices can be followed. Unfollow one first.`;
  if (error instanceof DatabaseUnavailableError)
    return t`${{ problem: storageProblem() }}, so no office can be followed.`;
  return t`The change was not saved`;
}

/** Stores the change and sends it. False after an error; the user has seen its message. */
async function change(office: OfficeReference, wanted: boolean): Promise<boolean> {
  const owner = currentOwner();
  const now = currentTime().getTime();
  try {
    await withDatabase(async (db) => {
      if (wanted) await writeWithEviction(db, null, () => followOffice(db, owner, office, now));
      else await unfollowOffice(db, owner, office.id, now);
    });
  } catch (error) {
    showToast({ text: failureText(error) });
    return false;
  }
  void refreshOffices().catch(() => undefined);
  return true;
}

/** Follows an office or ends following it. False after an error; the user has seen its message. */
export async function setFollowed(office: OfficeReference, wanted: boolean): Promise<boolean> {
  if (!(await change(office, wanted))) return false;
  const name = officeLabel(office);
  const text = wanted ? t`You follow ${name}.` : t`You no longer follow ${name}.`;
  const isSentLater = currentSession() !== null && !hasConnection();
  showToast({
    text: isSentLater ? `${text} ${sendsLaterText()}` : text,
    action: { label: t`Undo`, run: ofPresentOwner(() => void change(office, !wanted)) },
    passing: true,
  });
  if (wanted) void requestPersistentStorage();
  return true;
}
