/**
 * `soak`: 2,000 phones of all states for three minutes (`MINUTES=10` for longer) against two web and two worker processes:
 * first downloads, deltas while imports go on, searches, details, bookmarks, and some who sign in with their password.
 * No error, a short wait for 99 of 100, and memory that does not grow.
 */
import 'reflect-metadata';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { PasswordsService } from '../src/auth/passwords.service.ts';
import { notice, storeNotices } from '../test/notices.ts';
import { signInPhones } from './measure/deeds.ts';
import { Figures, say } from './measure/figures.ts';
import { fillTenders, MEASURED_PLACES } from './measure/fill-tenders.ts';
import { Fleet, fleetSettings, HEAP_TELLER } from './measure/fleet.ts';
import { type Caller, callAs, type SoakPhone, Tally } from './measure/soak-phones.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const MINUTES = Number(process.env.MINUTES ?? 3);
const PHONES = Number(process.env.PHONES ?? 2_000);
const SIGNED_IN_OF = 4;
const TENDERS = 20_000;
/** Between two calls of a phone that is looked at: half a minute, more or less. */
const THINK_MS = 30_000;
/** In it all phones download their state, the first time they are opened. */
const FIRST_MS = 60_000;
const IMPORT_EVERY_MS = 20_000;
const IMPORTED = 25;
const DAY_MS = 86_400_000;
const MOST_P99_MS = 1_000;
/** With the password: the hash alone costs 20 ms of a processor. */
const MOST_SIGN_IN_P99_MS = 2_000;
const MOST_GROWTH = 1.25;
const PASSWORD = 'Footbridge-Over-Pabbar-7';

async function run(workspace: Workspace): Promise<void> {
  const figures = new Figures('soak');
  const database = await workspace.createDatabase('soak');
  say(`filling ${TENDERS.toLocaleString('en-IN')} tenders`);
  await fillTenders(database.dataSource, TENDERS);
  const phones = await makePhones(database);
  const fleet = await Fleet.start(
    workspace,
    fleetSettings(database, {
      ...HEAP_TELLER,
      TRUST_PROXY: '1',
      // Nothing is bought here, and the sandbox would be one more process.
      PAYMENT_PROVIDER: 'phonepe',
      PHONEPE_CLIENT_ID: 'none',
      PHONEPE_CLIENT_SECRET: 'none',
      PHONEPE_WEBHOOK_SECRET: 'somebody:something',
    }),
  );
  try {
    await soak(figures, fleet, phones, database);
  } finally {
    await fleet.end();
  }
  await database.dataSource.destroy();
  figures.finish('worst');
}

/** A quarter is signed in; addresses are shared as those of mobile networks are. */
async function makePhones({ dataSource, address }: BenchDatabase): Promise<SoakPhone[]> {
  const passwordHash = await new PasswordsService().hash(PASSWORD);
  const accounts = await signInPhones(dataSource, address, PHONES / SIGNED_IN_OF, passwordHash);
  return Array.from({ length: PHONES }, (_, n) => {
    const place = MEASURED_PLACES[n % MEASURED_PLACES.length] as (typeof MEASURED_PLACES)[number];
    return {
      place,
      address: `100.64.${n % 8}.${(n >> 3) % 32}`,
      account: n % SIGNED_IN_OF === 0 ? accounts[n / SIGNED_IN_OF] : undefined,
      password: PASSWORD,
      hasSignedIn: false,
      cursor: undefined,
      seen: [],
    };
  });
}

async function soak(figures: Figures, fleet: Fleet, phones: SoakPhone[], { dataSource }: BenchDatabase): Promise<void> {
  const tally = new Tally();
  const caller: Caller = { origins: fleet.webs.map(({ port }) => `http://127.0.0.1:${port}`), tally };
  say('making the packs of all states');
  await Promise.all(
    phones.slice(0, MEASURED_PLACES.length).map((phone) => callAs({ ...caller, tally: new Tally() }, phone)),
  );

  say(`${PHONES.toLocaleString('en-IN')} phones for ${MINUTES} minutes`);
  const end = Date.now() + MINUTES * 60_000;
  const running = phones.map(async (phone) => {
    await wait(Math.random() * FIRST_MS);
    while (Date.now() < end) {
      await callAs(caller, phone);
      await wait(THINK_MS * (0.5 + Math.random()));
    }
  });
  const importing = (async () => {
    for (let round = 0; Date.now() < end; round++) {
      await wait(Math.min(IMPORT_EVERY_MS, Math.max(0, end - Date.now())));
      const now = new Date();
      const times = { publishedAt: new Date(now.getTime() - DAY_MS), closesAt: new Date(now.getTime() + 9 * DAY_MS) };
      const state = MEASURED_PLACES[round % MEASURED_PLACES.length]?.state ?? '';
      const made = Array.from({ length: IMPORTED }, (_, n) =>
        notice({ ...times, state, sourceId: `SOAK_${round}_${n}` }),
      );
      await storeNotices(dataSource, made, { now });
    }
  })();
  const lag = monitorEventLoopDelay();
  lag.enable();
  await wait((MINUTES * 60_000) / 3);
  const warm = await heaps(fleet);
  await Promise.all([...running, importing]);
  const last = await heaps(fleet);

  tally.tell(figures, MOST_P99_MS, { 'sign-in': MOST_SIGN_IN_P99_MS });
  // What the phones themselves were late, all in one process, is in their figures too.
  figures.note('lag_of_the_phones_p99_ms', lag.percentile(99) / 1e6);
  figures.note('lag_of_the_phones_most_ms', lag.max / 1e6);
  figures.note('requests_a_second', tally.count / (MINUTES * 60));
  for (const [at, member] of fleet.members.entries()) {
    const name = `${member.role}_${at % 2 === 0 ? 'first' : 'second'}`;
    figures.note(`${name}_heap_mb`, (last[at] ?? 0) / 1e6);
    figures.note(`${name}_resident_mb`, (await member.memory()) / 1e6);
    figures.check(`${name}_heap_growth`, (last[at] ?? 0) / (warm[at] ?? 0), 'most', MOST_GROWTH);
  }
  const fell = fleet.members.reduce((sum, member) => sum + member.fell, 0);
  figures.check('processes_that_fell', fell, 'most', 0);
}

/** One after the other: each stands still while it tells. */
async function heaps(fleet: Fleet): Promise<number[]> {
  const sizes: number[] = [];
  for (const member of fleet.members) sizes.push(await member.heap());
  return sizes;
}

await inWorkspace(run);
