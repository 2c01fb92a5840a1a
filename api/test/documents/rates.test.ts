import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runRates } from '../../src/cli/commands/rates.command.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const PLACE = ['--name', 'Rates 2026', '--state', 'himachal pradesh'];
const ROWS = `Item No.,Description of item,Unit,Rate (Rs.)
2.8,Excavation in foundation trenches,,
2.8.1,Ordinary soil,Cu.M,"1,180.50"
2.8.2,Hard rock,cum,1250
2.9,Dressing of slopes,sqm,by contract`;

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-rates-'));
  app = await startApp({ now: NOW });
});
beforeEach(() => app.database.dataSource.query('DELETE FROM rate_schedule'));
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const rates = (...args: string[]) => runRates(args, { find: async (type) => app.app.get(type) });
async function fileOf(text: string): Promise<string> {
  const path = join(folder, 'rates.csv');
  await writeFile(path, text);
  return path;
}
const storedItems = () =>
  app.database.dataSource.query(
    'SELECT code, description, unit, normal_unit, rate::text FROM rate_item ORDER BY schedule_id, no',
  );

test('a schedule is imported, listed, replaced by its name and removed, with audit events', async () => {
  const file = await fileOf(ROWS);
  expect(await rates('import', file, ...PLACE, '--from', '2026-04-01')).toBe(
    'refused: line 5 has a rate that is no amount of rupees: "by contract"\nitems 2, headings 1, repeated 0, refused 1\n',
  );
  expect(await storedItems()).toEqual([
    {
      code: '2.8.1',
      description: 'Excavation in foundation trenches: Ordinary soil',
      unit: 'Cu.M',
      normal_unit: 'cum',
      rate: '1180.5000',
    },
    expect.objectContaining({ code: '2.8.2', rate: '1250.0000' }),
  ]);
  expect(await rates('import', await fileOf(ROWS.replace('1250', '1300')), ...PLACE)).toContain(
    '"Rates 2026" is replaced',
  );
  const [schedule, ...others] = JSON.parse(await rates('list', '--json'));
  expect(schedule).toMatchObject({ state: 'Himachal Pradesh', name: 'Rates 2026', from: null, items: 2 });
  expect(others).toEqual([]);
  expect((await storedItems()).map(({ rate }: { rate: string }) => rate)).toEqual(['1180.5000', '1300.0000']);
  expect(await rates('remove', schedule.id, '--reason', 'A newer one holds')).toBe('The schedule is removed\n');
  expect(await storedItems()).toEqual([]);
  await expect(rates('remove', schedule.id)).rejects.toThrow('there is no schedule');
  const events = await app.database.dataSource.query(
    "SELECT action, detail->>'name' AS name, detail->>'reason' AS reason FROM audit WHERE action LIKE 'rates.%' ORDER BY id",
  );
  expect(events).toEqual([
    { action: 'rates.imported', name: 'Rates 2026', reason: 'By command on the server' },
    { action: 'rates.imported', name: 'Rates 2026', reason: 'By command on the server' },
    { action: 'rates.removed', name: 'Rates 2026', reason: 'A newer one holds' },
  ]);
});

test('a dry run counts, shows items and stores nothing', async () => {
  const output = await rates('import', await fileOf(ROWS), ...PLACE, '--dry-run');
  expect(output).toContain('2.8.1\tCu.M\t₹1180.50\tExcavation in foundation trenches: Ordinary soil\n');
  expect(output).toContain('items 2, headings 1, repeated 0, refused 1 (dry run: nothing is stored)\n');
  expect(await storedItems()).toEqual([]);
});

test('an unclear file or option is refused in a sentence and changes nothing', async () => {
  await rates('import', await fileOf(ROWS), ...PLACE);
  const before = await storedItems();
  const zones = await fileOf('Code,Item,Unit,Rate A,Rate B\n1,Earth work in soil,cum,1,2');
  await expect(rates('import', zones, ...PLACE)).rejects.toThrow(
    'rates.csv: it is unclear which column is the rate: "Rate A", "Rate B"; name one with --column "NAME=rate"',
  );
  await expect(rates('import', join(folder, 'none.csv'), ...PLACE)).rejects.toThrow('there is no such file');
  await expect(rates('import', zones, '--name', 'x', '--state', 'Atlantis')).rejects.toThrow('--state must be a state');
  await expect(rates('import', zones, ...PLACE, '--from', '01-04-2026')).rejects.toThrow('--from must be a day');
  await expect(rates('import', zones, ...PLACE, '--column', 'Rate B=amount')).rejects.toThrow('--column must be');
  expect(await storedItems()).toEqual(before);
  await rates('import', zones, '--name', 'Zones', '--state', 'Assam', '--column', 'Rate B=rate');
  expect((await storedItems()).at(-1)).toMatchObject({ rate: '2.0000' });
});

test('the rates of 20,000 items are stored in one import', async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `9.${n},Item of works number ${n},cum,${n + 1}`);
  const output = await rates('import', await fileOf(`Code,Item,Unit,Rate\n${lines.join('\n')}`), ...PLACE);
  expect(output).toBe('items 20000, headings 0, repeated 0, refused 0\n');
  expect(await storedItems()).toHaveLength(20_000);
});
