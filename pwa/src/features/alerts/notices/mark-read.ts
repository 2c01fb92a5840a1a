import { currentTime } from '../../../data/clock.ts';
import { hasDatabase, withDatabase } from '../../../data/device/database.ts';
import { currentOwner } from '../../../data/session.ts';

/** Loads the notices before the oldest one on the device. Throws when the server does not answer. */
export async function loadMoreNotices(): Promise<void> {
  const { loadOlderNotices } = await import('./notices.ts');
  await loadOlderNotices();
}

/**
 * Marks the notices of one tender as read, or all notices. The device shows it at once; the server gets it
 * when there is a connection. Never throws.
 */
export async function markNoticesRead(tenderId?: string): Promise<void> {
  if (!(await hasDatabase())) return;
  try {
    const { markReadOnDevice, refreshNotices } = await import('./notices.ts');
    const count = await withDatabase((db) => markReadOnDevice(db, currentOwner(), currentTime(), tenderId));
    if (count > 0) await refreshNotices();
  } catch {
    // The next sync sends the marks.
  }
}
