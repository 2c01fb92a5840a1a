/** Fills an empty installation with demonstration tenders, once. */
import type { DataSource } from 'typeorm';
import { SettingEntity } from '../database/setting.entity.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { demonstrationTenders } from './demo.ts';
import { Ingest } from './ingest.service.ts';
import type { Notice } from './notice.ts';

const FILLED = 'demonstration';

/**
 * Stores the generated tenders of every state that has none; does nothing when it was done before. The revised versions
 * are imported after the first ones, so that their corrigenda come from real history. Gives the number stored.
 */
export async function fillDemo(dataSource: DataSource, now: Date): Promise<number> {
  const settings = dataSource.getRepository(SettingEntity);
  // Whoever writes the row first fills; several processes may start at once.
  const { raw } = await settings
    .createQueryBuilder()
    .insert()
    .values({ key: FILLED, value: { at: now.toISOString() } })
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
    const isEmptyState = ({ state }: Notice) => !real.has(state);
    const { first, revised } = demonstrationTenders({ now });
    const stored = await store(dataSource, first.filter(isEmptyState), now);
    await store(dataSource, revised.filter(isEmptyState), now);
    return stored;
  } catch (error) {
    await settings.delete({ key: FILLED });
    throw error;
  }
}

async function store(dataSource: DataSource, notices: Notice[], now: Date): Promise<number> {
  const ingest = await Ingest.start(dataSource, { now, origin: 'generated', shiftDays: 0 });
  for (const notice of notices) await ingest.add(notice);
  return (await ingest.finish()).new;
}
