/** Fills an empty installation with demonstration tenders, once. */
import type { DataSource } from 'typeorm';
import { computeAwardStatistics } from '../../awards/award-statistics.job.ts';
import { SettingEntity } from '../../database/setting.entity.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import { AwardRun } from '../award-files/import-awards.ts';
import { IngestRun } from '../ingest-run.ts';
import type { SourceTender } from '../source-tender.ts';
import { demonstrationAwards } from './demo-awards.ts';
import { demonstrationTenders } from './demo-tenders.ts';

const SETTING_KEY = 'demonstration';

/**
 * Stores generated tenders for every state without any, once per installation. The revised versions are imported after
 * the first ones, so their corrigenda come from real history. Returns the number of stored tenders.
 */
export async function importDemoTenders(dataSource: DataSource, now: Date): Promise<number> {
  const settings = dataSource.getRepository(SettingEntity);
  // Several processes may start at once. The one that inserts the row stores the tenders.
  const { raw } = await settings
    .createQueryBuilder()
    .insert()
    .values({ key: SETTING_KEY, value: { at: now.toISOString() } })
    .orIgnore()
    .returning('key')
    .execute();
  if (raw.length === 0) return 0;
  try {
    const rows = await dataSource
      .getRepository(TenderEntity)
      .createQueryBuilder()
      .select('DISTINCT state')
      .getRawMany();
    const real = new Set(rows.map(({ state }) => state));
    const isEmptyState = ({ state }: SourceTender) => !real.has(state);
    const { first, revised } = demonstrationTenders({ now });
    const stored = await importTenders(dataSource, first.filter(isEmptyState), now);
    await importTenders(dataSource, revised.filter(isEmptyState), now);
    await importAwards(dataSource, first.filter(isEmptyState), now);
    return stored;
  } catch (error) {
    await settings.delete({ key: SETTING_KEY });
    throw error;
  }
}

async function importTenders(dataSource: DataSource, tenders: SourceTender[], now: Date): Promise<number> {
  const ingest = await IngestRun.start(dataSource, { now, origin: 'generated', shiftDays: 0 });
  for (const tender of tenders) await ingest.add(tender);
  return (await ingest.finish()).new;
}

/** Stores awards for states without tenders, with their statistics, so that a first start can show the page of an office. */
async function importAwards(dataSource: DataSource, tenders: SourceTender[], now: Date): Promise<void> {
  const run = new AwardRun(dataSource, { now, origin: 'generated', withNames: false, dryRun: false });
  for (const award of demonstrationAwards(tenders, now)) await run.add(award);
  await run.finish();
  await computeAwardStatistics({ dataSource, now });
}
