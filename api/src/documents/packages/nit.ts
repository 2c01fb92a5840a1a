/** The works of an NIT with their corrigenda and bills of quantities. */
import type { EntityManager } from 'typeorm';
import { CorrigendumEntity, TenderEntity } from '../../tenders/tender.entity.ts';
import { BOQ_ITEMS, SEEN_TENDERS } from './packages.sql.ts';

/** One line of a bill of quantities. */
export interface PublishedItem {
  tenderId: number;
  no: number;
  description: string;
  quantity: string | null;
  unit: string | null;
}

/** The published works of an NIT in the portal's order, with their corrigenda and bills of quantities. */
export interface NitContents {
  nit: string;
  works: TenderEntity[];
  corrigenda: CorrigendumEntity[];
  boq: PublishedItem[];
}

/** The published works of an NIT (`packageKey`); empty when all were removed. */
export function findWorks(manager: EntityManager, nit: string, now: Date): Promise<TenderEntity[]> {
  const alone = /^tender-(\d{1,10})$/.exec(nit)?.[1];
  const query = manager.getRepository(TenderEntity).createQueryBuilder('t').where('t.publishedAt <= :now', { now });
  if (alone) query.andWhere('t.id = :id AND t.nitKey IS NULL', { id: Number(alone) });
  else query.andWhere('t.nitKey = :nit', { nit });
  return query.orderBy('length(t.sourceId)').addOrderBy('t.sourceId').getMany();
}

/** The works with their corrigenda and bills of quantities. */
export async function readNit(manager: EntityManager, nit: string, works: TenderEntity[]): Promise<NitContents> {
  const ids = works.map(({ id }) => id);
  const corrigenda = await manager
    .getRepository(CorrigendumEntity)
    .createQueryBuilder('c')
    .where('c.tenderId = ANY(:ids)', { ids })
    .orderBy('c.id')
    .getMany();
  const boq: PublishedItem[] = await manager.query(BOQ_ITEMS, [ids]);
  const seen: { id: number; at: Date }[] = await manager.query(SEEN_TENDERS, [ids]);
  for (const { id, at } of seen) {
    const work = works.find((each) => each.id === id);
    if (work && at > work.fetchedAt) work.fetchedAt = at;
  }
  return { nit, works, corrigenda, boq };
}

/** Whether the works are generated. Their documents are then generated too. */
export const isGenerated = (works: readonly Pick<TenderEntity, 'origin'>[]): boolean =>
  works.some(({ origin }) => origin === 'generated');

/** Whether the works are generated, or real ones with shifted dates. */
export const isDemonstration = (works: readonly Pick<TenderEntity, 'origin'>[]): boolean =>
  works.some(({ origin }) => origin !== 'portal');
