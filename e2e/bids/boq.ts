/** BOQs of tenders on the journeys' server. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serverEnvironment } from '../support/run-job.ts';
import { withServerDatabase } from '../support/session.ts';

const run = promisify(execFile);

const WORKS = [
  'Earth work in excavation by mechanical means over areas, including disposal of the soil within 50 m',
  'Random rubble masonry with hard stone in foundation and plinth in cement mortar 1:6',
  'Cement concrete 1:2:4 with graded stone aggregate of 20 mm, cured for seven days',
  'Steel reinforcement, cut, bent, placed in position and bound with wire',
  'Plaster of 12 mm thickness in cement mortar 1:4 on walls, with a smooth finish of neat cement',
];
const UNITS = ['cum', 'cum', 'cum', 'kg', 'sqm'];

type Kind = 'item-rate' | 'percentage';

/** The rows of a BOQ with this many items, a heading before each ten. The first row is 12. */
function boqItems(count: number, kind: Kind) {
  const rate = kind === 'percentage' ? '100' : null;
  const items = Array.from({ length: count }, (_, at) => ({
    ...{ no: `${Math.floor(at / 10) + 1}.${String((at % 10) + 1).padStart(2, '0')}`, rate, offered: null },
    ...{ text: `${WORKS[at % 5]}, part ${at + 1}`, unit: UNITS[at % 5], quantity: `${(at % 7) + 1}.5` },
  }));
  const lines = items.flatMap((item, at) =>
    at % 10 === 0
      ? [{ ...item, no: `${at / 10 + 1}`, text: `Part ${at / 10 + 1}`, unit: null, quantity: null, rate: null }, item]
      : [item],
  );
  return lines.map((line, at) => ({ row: 12 + at, ...line }));
}

/** Attaches a file to a tender, as an operator does. */
async function attachWorkbook(tenderId: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-boq-'));
  const path = join(folder, 'boq.xls');
  await writeFile(path, Buffer.from(`d0cf11e0a1b11ae1${Buffer.from(tenderId).toString('hex')}`, 'hex'));
  const command = ['api/dist/cli.js', 'documents', 'attach', '--tender', tenderId, '--boq', path];
  await run(process.execPath, command, { cwd: join(import.meta.dirname, '../..'), env: serverEnvironment() });
  await rm(folder, { recursive: true });
}

/** Stores a BOQ with this many items that the reader has read, and gives the user a plan that has its package. */
export async function storeBoq(
  tenderId: string,
  userId: string,
  count: number,
  kind: Kind = 'item-rate',
): Promise<void> {
  const items = boqItems(count, kind);
  const paise = items.reduce((sum, { rate, quantity }) => sum + Number(rate) * Number(quantity) * 100, 0);
  const totalPaise = kind === 'percentage' ? paise : null;
  const boq = { kind, sheet: 'BoQ1', items, statedTotal: null, offeredPercent: null };
  const summary = {
    ...{ kind, items: count, isLumpSum: count === 1, totalPaise },
    ...{ statedTotalPaise: null, totalState: 'unknown' },
  };
  await attachWorkbook(tenderId);
  await withServerDatabase(async (client) => {
    const { rows } = await client.query('SELECT nit_of(nit_key, id) AS nit FROM tender WHERE id = $1', [tenderId]);
    const nit = rows[0].nit as string;
    // No version of the reader is later, so that no job reads the file again.
    const file = await client.query(
      "UPDATE package_file SET read_version = 1000000 WHERE nit = $1 AND name = 'boq.xls' RETURNING id, sha256",
      [nit],
    );
    const { id, sha256 } = file.rows[0];
    await client.query(
      `INSERT INTO file_reading
         (package_file_id, name, kind, sha256, version, state, unread_pages, texts, read_at)
       VALUES ($1, 'boq.xls', 'boq', $2, 1000000, 'done', '[]', '{}', now())
       ON CONFLICT (package_file_id, name) DO UPDATE SET state = 'done', version = 1000000`,
      [id, sha256],
    );
    await client.query(
      `INSERT INTO read_boq (nit, tender_id, sha256, name, boq, summary, read_at)
       VALUES ($1, $2, $3, 'boq.xls', $4, $5, now()) ON CONFLICT DO NOTHING`,
      [nit, tenderId, sha256, JSON.stringify(boq), JSON.stringify(summary)],
    );
    const plan = await client.query(
      `INSERT INTO entitlement
         (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, is_gift, created_at)
       VALUES ('plan', $1, 'asha@builders.example', 'enterprise', '{}', now() - interval '1 day',
         now() + interval '1 year', false, true, now()) RETURNING id`,
      [userId],
    );
    await client.query(
      `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
       VALUES ($1, indian_month(now()), $2, $3, $4, now())`,
      [userId, nit, tenderId, plan.rows[0].id],
    );
  });
}
