/** What an installation's own records say of its state, for `doctor` and for the start of the desk. */
import type { Config } from '../../base/config.ts';
import { MONTHS_AHEAD_OF_TABLES } from '../../database/monthly-partitions.sql.ts';
import { readDiskSpace } from '../../http/monitoring/disk.ts';
import { type Finding, failure, warning } from './findings.ts';
import {
  FEED_FACTS,
  HAS_QUEUES,
  JOB_FACTS,
  ORDER_FACTS,
  PACK_FACTS,
  QUEUE_FACTS,
  UNREAD_FACTS,
} from './installation.sql.ts';
import {
  backupFinding,
  diskFinding,
  feedFindings,
  jobFindings,
  packFinding,
  partitionFindings,
} from './installation-findings.ts';

const READ_COMMAND = 'npm run job -- read-documents';

/** Runs a statement and returns its rows. */
export type ReadRows = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

/** The newest backup, jobs, feeds, orders to be decided, unread files, packs and mails. */
export async function checkRecords(
  read: ReadRows,
  { production, feeds }: Pick<Config, 'production' | 'feeds'>,
  now: Date,
): Promise<Finding[]> {
  const jobs = await read<Parameters<typeof jobFindings>[0][number]>(JOB_FACTS, [now]);
  const [queues] = await read<{ exists: boolean }>(HAS_QUEUES);
  const findings = [
    backupFinding(jobs, production, now),
    ...jobFindings(jobs),
    ...feedFindings(await read(FEED_FACTS), feeds.length),
    ...partitionFindings(await read(MONTHS_AHEAD_OF_TABLES, [now])),
  ];
  const [orders] = await read<{ review: number }>(ORDER_FACTS);
  if (orders && orders.review > 0)
    findings.push(
      warning('orders', `${orders.review} paid orders wait for a decision. Run npm run orders -- list --status REVIEW`),
    );
  const [files] = await read<{ unread: number }>(UNREAD_FACTS, [now]);
  if (files && files.unread > 0)
    findings.push(
      warning(
        'documents',
        `${files.unread} files wait unread for more than a day. The log of the workers says why; run ${READ_COMMAND}`,
        READ_COMMAND,
      ),
    );
  const [packs] = queues?.exists ? await read<{ missing: number; failed: number }>(PACK_FACTS) : [];
  if (packs) findings.push(packFinding(packs));
  if (queues?.exists) findings.push(...(await checkQueue(read)));
  return findings;
}

async function checkQueue(read: ReadRows): Promise<Finding[]> {
  const [mails] = await read<{ late: number; failed: number }>(QUEUE_FACTS);
  const findings: Finding[] = [];
  if (mails && mails.late > 0)
    findings.push(warning('mail', `${mails.late} mails wait for more than 15 minutes. See the other line about mail`));
  if (mails && mails.failed > 0)
    findings.push(
      warning('mail', `${mails.failed} mails of the last day were not sent. The log of the workers says why`),
    );
  return findings;
}

/** Free space of the folders that this installation writes to. */
export async function checkDisks({ dataDir, files }: Pick<Config, 'dataDir' | 'files'>): Promise<Finding[]> {
  const folders = [dataDir, ...(files.kind === 'folder' ? [files.path] : [])];
  return Promise.all(
    [...new Set(folders)].map((folder) =>
      readDiskSpace(folder).then(
        (space) => diskFinding(folder, space),
        ({ code }: NodeJS.ErrnoException) =>
          failure('disk', `${folder} cannot be read (${code}). Check that it is a folder of this user`),
      ),
    ),
  );
}
