/** Copies of backups in another place, and the rule of their retention. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DAY_MS } from '@nivida/contract/time';
import type { FileStorage } from '../storage/file-storage.ts';

const NAME_PATTERN = /^nivida-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip(?:\.age)?$/;
const MAX_MONTH_DAYS = 31;

/** How long backups are retained. */
export interface RetentionRule {
  /** Every backup of these days. */
  days: number;
  /** The first backup of each of these months. */
  months: number;
}

/** The backups that the rule removes. The newest one always stays. Other files are ignored. */
export function expiredBackups(names: readonly string[], { days, months }: RetentionRule, now: Date): string[] {
  const backups = names
    .flatMap((name) => {
      const [, date, hours, minutes, seconds] = NAME_PATTERN.exec(name) ?? [];
      return date ? [{ name, month: date.slice(0, 7), at: Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`) }] : [];
    })
    .sort((a, b) => a.at - b.at);
  return backups
    .filter(({ month, at }, nth) => {
      const ageDays = (now.getTime() - at) / DAY_MS;
      const isFirstOfMonth = backups.findIndex((other) => other.month === month) === nth;
      const isRetained = ageDays <= days || (isFirstOfMonth && ageDays <= months * MAX_MONTH_DAYS);
      return !isRetained && nth < backups.length - 1;
    })
    .map(({ name }) => name);
}

/** Copies a backup, checks the size of the copy, and removes the copies that are too old. Returns the number of removed copies. */
export async function copyBackup(path: string, storage: FileStorage, rule: RetentionRule, now: Date): Promise<number> {
  const name = basename(path);
  await storage.write(name, createReadStream(path));
  const { size } = await stat(path);
  const names: string[] = [];
  let copiedBytes: number | undefined;
  for await (const copy of storage.list()) {
    names.push(copy.name);
    if (copy.name === name) copiedBytes = copy.bytes;
  }
  if (copiedBytes !== size) throw new Error(`The copy of the backup has ${copiedBytes ?? 'no'} of ${size} bytes`);
  const expired = expiredBackups(names, rule, now);
  for (const each of expired) await storage.remove(each);
  return expired.length;
}
