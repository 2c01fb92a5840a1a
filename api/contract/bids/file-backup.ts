/** The backup of the vault's files in the account: answers of `/api/bids/file-backup`. */
import * as v from 'valibot';

export const FileBackup = v.object({
  /** The user has switched the backup on. */
  isOn: v.boolean(),
  /** SHA-256 of the complete files, in hexadecimal digits. */
  hashes: v.array(v.string()),
  /** Incomplete files, with the parts that have arrived, counted from 0. */
  begun: v.array(v.object({ hash: v.string(), parts: v.array(v.number()) })),
});
export type FileBackup = v.InferOutput<typeof FileBackup>;

export const FileBackupRequest = v.strictObject({ isOn: v.boolean() });
export type FileBackupRequest = v.InferOutput<typeof FileBackupRequest>;
