/** Processes and the database are killed at random under load; no acknowledged action is lost or done twice. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type BenchmarkMetrics, log } from '../metrics.ts';
import type { Workspace } from '../workspace.ts';
import { checkAcknowledgedData, checkMails, countUnmailed } from './acknowledged-data.ts';
import { AcknowledgedActions, runWorkload, type Workload } from './workload.ts';

const CONCURRENT_CLIENTS = 8;
/** Time between two kills. */
const KILL_INTERVAL_MS = [3_000, 7_000] as const;
/** Kills of processes for each kill of the database. */
const DATABASE_EVERY = 6;
const SETTLE_TIMEOUT_MS = 240_000;
/** A graceful shutdown, and a kill as in a power cut. */
const SIGNALS = ['SIGINT', 'SIGQUIT'] as const;

/** Kills processes for `minutes`, then checks all data. */
export async function checkProcessKills(
  figures: BenchmarkMetrics,
  workspace: Workspace,
  workload: Workload,
  minutes: number,
  open: () => Promise<DataSource>,
): Promise<void> {
  const { members } = workload.servers;
  log(`killing processes and the database for ${minutes} minutes`);
  let kills = 0;
  const away: number[] = [];
  await checkAcknowledgedActions(figures, workload, open, async () => {
    for (const end = Date.now() + minutes * 60_000; Date.now() < end; await pauseAfterKill()) {
      const member = members[Math.floor(Math.random() * members.length)];
      await member?.kill();
      kills += 1;
      if (kills % DATABASE_EVERY === 0)
        away.push(await workspace.restartDatabase(SIGNALS[away.length % SIGNALS.length] ?? 'SIGINT'));
    }
  });
  figures.record('processes_killed', kills);
  figures.record('database_restarts', away.length);
  figures.record('longest_database_restart_ms', Math.max(0, ...away));
}

export function pauseAfterKill(): Promise<void> {
  const [minPause, maxPause] = KILL_INTERVAL_MS;
  return wait(minPause + Math.random() * (maxPause - minPause));
}

/** Runs the workload during the kills, then checks all acknowledged actions. `open` connects to the current database. */
export async function checkAcknowledgedActions(
  figures: BenchmarkMetrics,
  workload: Workload,
  open: () => Promise<DataSource>,
  kill: (acknowledged: AcknowledgedActions) => Promise<void>,
): Promise<void> {
  const { mails, servers } = workload;
  const { members } = servers;
  const acknowledged = new AcknowledgedActions();
  let isOver = false;
  const doing = runWorkload(workload, acknowledged, CONCURRENT_CLIENTS, () => isOver);
  await kill(acknowledged);
  isOver = true;
  await doing;
  await Promise.all(members.map((member) => member.isReady()));

  log('waiting for what was begun');
  const dataSource = await open();
  for (const end = Date.now() + SETTLE_TIMEOUT_MS; Date.now() < end; await wait(5_000)) {
    await advanceDatabaseTime(dataSource, 10);
    if ((await countUnsettledOrders(dataSource, acknowledged)) === 0 && countUnmailed(mails, acknowledged) === 0) break;
  }
  figures.record('retries', acknowledged.retries);
  figures.record('codes_that_came_too_late', acknowledged.lateCodes);
  for (const refusal of [...acknowledged.rejected, ...acknowledged.abandoned].slice(0, 5)) log(refusal);
  figures.check('actions_rejected', acknowledged.rejected.length, 'most', 0);
  figures.check('actions_without_answer_for_two_minutes', acknowledged.abandoned.length, 'most', 0);
  figures.check('processes_crashed_by_themselves', servers.crashes, 'most', 0);
  await checkAcknowledgedData(figures, dataSource, workload.clients, acknowledged);
  checkMails(figures, mails, acknowledged);
  await dataSource.destroy();
}

async function countUnsettledOrders(dataSource: DataSource, acknowledged: AcknowledgedActions): Promise<number> {
  const sql = `SELECT count(*)::int AS n FROM orders WHERE status <> 'SUCCESS' AND public_id = ANY($1)`;
  return (await dataSource.query(sql, [acknowledged.keysOf('orders')]))[0].n;
}

/**
 * Moves all waiting work ahead by `minutes`: jobs and retries, order checks, pushes, pauses of push services. The
 * queue releases the work of a killed process after five minutes, so the start of that work is moved back.
 */
export async function advanceDatabaseTime(dataSource: DataSource, minutes: number): Promise<void> {
  for (const sql of [
    `UPDATE pgboss.job SET start_after = start_after - $1 * interval '1 minute' WHERE state IN ('created', 'retry')`,
    `UPDATE pgboss.job SET started_on = started_on - $1 * interval '1 minute'
     WHERE state = 'active' AND started_on < now() - interval '30 seconds'`,
    `UPDATE orders SET next_check_at = next_check_at - $1 * interval '1 minute'`,
    `UPDATE push_delivery SET send_at = send_at - $1 * interval '1 minute' WHERE state = 'waiting'`,
    `UPDATE push_host SET paused_until = paused_until - $1 * interval '1 minute', since = since - $1 * interval '1 minute'`,
  ])
    await dataSource.query(sql, [minutes]);
}
