import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { FileBackupService } from '../bids/file-backup.service.ts';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import type { Job, JobContext } from '../jobs/job.ts';
import { AttachmentsService } from '../support/attachments.service.ts';
import { RETENTION_STATEMENTS } from './retention.sql.ts';

/** Reports of rejected rows, and mails of an installation without a mail server. */
const REPORT_RETENTION_MS = 90 * DAY_MS;
const REPORT_FOLDERS = ['rejects', 'mail'];

/** Removes rows and files that are not needed any more and that no other job removes. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly fileBackup: FileBackupService,
    private readonly attachments: AttachmentsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the number of rows and files. */
  async apply(now: Date): Promise<number> {
    let removed = 0;
    for (const statement of Object.values(RETENTION_STATEMENTS))
      removed += await runInBatches(this.dataSource, statement, [now]);
    removed += await this.fileBackup.removeUnused(now);
    removed += await this.attachments.removeDropped();
    for (const folder of REPORT_FOLDERS)
      removed += await removeOldFiles(join(this.config.dataDir, folder), now.getTime() - REPORT_RETENTION_MS);
    return removed;
  }
}

async function removeOldFiles(folder: string, before: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    // Another process may remove it in the meantime.
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile() || found.mtimeMs >= before) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}

/** Applies the retention rules of docs/operations.md that no other job applies. */
export async function applyRetention({ find, now }: JobContext): Promise<number> {
  return (await find(RetentionService)).apply(now);
}

export const applyRetentionJob: Job = { name: 'apply-retention', cron: '53 2 * * *', run: applyRetention };
