/**
 * `soak`: 2,000 phones of all states for three minutes (`MINUTES=10` for longer) against two web and two worker processes:
 * first downloads, deltas during imports, searches, details, bookmarks, and some sign-ins with a password. There is no
 * error, 99 of 100 waits are short, and memory does not grow.
 */
import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { createSourceTender, importTenders } from '../../test/support/source-tenders.ts';
import { fillTenders, MEASURED_PLACES } from '../measure/fill-tenders.ts';
import {
  HEAP_REPORT_ENV,
  SELLS_NOTHING,
  ServerProcesses,
  serverSettings,
} from '../measure/harness/server-processes.ts';
import { signInClients } from '../measure/harness/workload.ts';
import { BenchmarkMetrics, log } from '../measure/metrics.ts';
import { CallStatistics, runNextCall, type SoakClient, type SoakTarget } from '../measure/soak-clients.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from '../measure/workspace.ts';

const MINUTES = Number(process.env.MINUTES ?? 3);
const PHONES = Number(process.env.PHONES ?? 2_000);
const SIGNED_IN_SHARE = 4;
const TENDERS = 20_000;
/** Average pause between two calls of an active phone. */
const THINK_TIME_MS = 30_000;
/** Period in which all phones download their state for the first time. */
const START_PERIOD_MS = 60_000;
const IMPORT_EVERY_MS = 20_000;
const IMPORTED_TENDERS = 25;
const DAY_MS = 86_400_000;
const MAX_P99_MS = 1_000;
/** Limit for sign-ins with a password: the hash alone costs 20 ms of a processor. */
const MAX_SIGN_IN_P99_MS = 2_000;
const MAX_HEAP_GROWTH = 1.25;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('soak');
  const database = await workspace.createDatabase('soak');
  log(`filling ${TENDERS.toLocaleString('en-IN')} tenders`);
  await fillTenders(database.dataSource, TENDERS);
  const phones = await createClients(database);
  const servers = await ServerProcesses.start(
    workspace,
    serverSettings(database, {
      ...HEAP_REPORT_ENV,
      TRUST_PROXY: '1',
      ...SELLS_NOTHING,
    }),
  );
  try {
    await runSoak(figures, servers, phones, database);
  } finally {
    await servers.end();
  }
  await database.dataSource.destroy();
  figures.finish('worst');
}

/** A quarter is signed in. Addresses are shared as in mobile networks. */
async function createClients({ dataSource, address }: BenchDatabase): Promise<SoakClient[]> {
  const passwordHash = await new PasswordsService().hash(PASSWORD);
  const accounts = await signInClients(dataSource, address, PHONES / SIGNED_IN_SHARE, passwordHash);
  return Array.from({ length: PHONES }, (_, n) => {
    const place = MEASURED_PLACES[n % MEASURED_PLACES.length] as (typeof MEASURED_PLACES)[number];
    return {
      place,
      address: `100.64.${n % 8}.${(n >> 3) % 32}`,
      account: n % SIGNED_IN_SHARE === 0 ? accounts[n / SIGNED_IN_SHARE] : undefined,
      password: PASSWORD,
      hasSignedIn: false,
      cursor: undefined,
      seen: [],
    };
  });
}

async function runSoak(
  figures: BenchmarkMetrics,
  servers: ServerProcesses,
  clients: SoakClient[],
  { dataSource }: BenchDatabase,
): Promise<void> {
  const tally = new CallStatistics();
  const caller: SoakTarget = { origins: servers.webs.map(({ origin }) => origin), tally };
  log('making the packs of all states');
  await Promise.all(
    clients
      .slice(0, MEASURED_PLACES.length)
      .map((phone) => runNextCall({ ...caller, tally: new CallStatistics() }, phone)),
  );

  log(`${PHONES.toLocaleString('en-IN')} phones for ${MINUTES} minutes`);
  const end = Date.now() + MINUTES * 60_000;
  const running = clients.map(async (phone) => {
    await wait(Math.random() * START_PERIOD_MS);
    while (Date.now() < end) {
      await runNextCall(caller, phone);
      await wait(THINK_TIME_MS * (0.5 + Math.random()));
    }
  });
  const importing = (async () => {
    for (let round = 0; Date.now() < end; round++) {
      await wait(Math.min(IMPORT_EVERY_MS, Math.max(0, end - Date.now())));
      const now = new Date();
      const times = { publishedAt: new Date(now.getTime() - DAY_MS), closesAt: new Date(now.getTime() + 9 * DAY_MS) };
      const state = MEASURED_PLACES[round % MEASURED_PLACES.length]?.state ?? '';
      const made = Array.from({ length: IMPORTED_TENDERS }, (_, n) =>
        createSourceTender({ ...times, state, sourceId: `SOAK_${round}_${n}` }),
      );
      await importTenders(dataSource, made, { now });
    }
  })();
  const lag = monitorEventLoopDelay();
  lag.enable();
  await wait((MINUTES * 60_000) / 3);
  const warm = await readHeapSizes(servers);
  await Promise.all([...running, importing]);
  const last = await readHeapSizes(servers);

  tally.report(figures, MAX_P99_MS, { 'sign-in': MAX_SIGN_IN_P99_MS });
  // The figures include the delay of the phones themselves, which all run in one process.
  figures.record('phone_lag_p99_ms', lag.percentile(99) / 1e6);
  figures.record('phone_lag_max_ms', lag.max / 1e6);
  figures.record('requests_a_second', tally.count / (MINUTES * 60));
  for (const [at, member] of servers.members.entries()) {
    const name = `${member.role}_${at % 2 === 0 ? 'first' : 'second'}`;
    figures.record(`${name}_heap_mb`, (last[at] ?? 0) / 1e6);
    figures.record(`${name}_resident_mb`, (await member.memory()) / 1e6);
    figures.check(`${name}_heap_growth`, (last[at] ?? 0) / (warm[at] ?? 0), 'most', MAX_HEAP_GROWTH);
  }
  figures.check('processes_crashed', servers.crashes, 'most', 0);
}

/** Measures one process after the other, because each stops while it reports. */
async function readHeapSizes(servers: ServerProcesses): Promise<number[]> {
  const sizes: number[] = [];
  for (const member of servers.members) sizes.push(await member.heap());
  return sizes;
}

await inWorkspace(run);
