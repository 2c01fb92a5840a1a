/** Whether an owner's backup of files is on, as the server last told this device. */
import type { FileBackup } from '@nivida/contract/bids/file-backup';
import type { DeviceDatabase } from '../device/schema.ts';

const settingKey = (owner: string): string => `file backup of ${owner}`;

/** True when the owner's backup was on when this device last asked. */
export async function isBackupOn(db: DeviceDatabase, owner: string): Promise<boolean> {
  return (await db.settings.get(settingKey(owner)))?.value === true;
}

/** Stores whether the backup is on. Returns `backup`. */
export async function noteBackup(db: DeviceDatabase, owner: string, backup: FileBackup): Promise<FileBackup> {
  await db.settings.put({ key: settingKey(owner), value: backup.isOn });
  return backup;
}

/** Removes the setting when the account is deleted. */
export const deleteBackupSetting = (db: DeviceDatabase, owner: string): Promise<void> =>
  db.settings.delete(settingKey(owner));
