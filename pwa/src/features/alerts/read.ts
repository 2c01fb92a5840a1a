import { currentTime } from '../../data/clock.ts';
import { onDevice } from '../../data/device.ts';
import { currentOwner } from '../../data/session.ts';

/** Receives the notices before the oldest one on the device. Throws when the server does not answer. */
export async function showOlderNotices(): Promise<void> {
  const { loadOlderNotices } = await import('./notices.ts');
  await loadOlderNotices();
}

/** Notes all notices as read, or those of one tender; here at once, at the server when there is signal. Never throws. */
export async function readNotices(tenderId?: string): Promise<void> {
  try {
    const { markRead, refreshNotices } = await import('./notices.ts');
    const count = await onDevice((db) => markRead(db, currentOwner(), currentTime(), tenderId));
    if (count > 0) await refreshNotices();
  } catch {
    // told with the next sync
  }
}
