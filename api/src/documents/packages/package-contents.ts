/** The tenders of a notice whose package can be sold. */
import type { EntityManager } from 'typeorm';
import { takeChangeLock } from '../../database/locks.ts';

/** Every work of the NIT $1 with the ready files that cover it; $2 is the instant. */
const WORK_CONTENTS = `
  WITH work AS (
    SELECT t.id, t.published_at <= $2 AS is_public, t.package_kind, t.package_works,
      t.origin <> 'generated' AND EXISTS (
        SELECT FROM package_file f WHERE f.nit = $1 AND f.state = 'ready' AND f.kind = 'nit'
          AND (f.tender_id = t.id OR f.all_works)) AS has_nit,
      EXISTS (SELECT FROM package_file f WHERE f.nit = $1 AND f.state = 'ready' AND f.kind = 'boq'
          AND (f.tender_id = t.id OR f.all_works))
        OR EXISTS (SELECT FROM boq_item b WHERE b.tender_id = t.id) AS has_boq
    FROM tender t
    WHERE t.nit_key = $1
      OR t.nit_key IS NULL AND t.id = CASE WHEN $1 ~ '^tender-[0-9]{1,9}$' THEN substr($1, 8)::integer END
  ), found AS (
    SELECT id, package_kind, package_works,
      CASE WHEN has_nit THEN CASE WHEN has_boq THEN 'nit-boq' ELSE 'nit' END END AS kind,
      CASE WHEN has_nit THEN (count(*) FILTER (WHERE has_nit AND is_public) OVER ())::integer END AS works
    FROM work
  ), differing AS (
    SELECT * FROM found WHERE (kind, works) IS DISTINCT FROM (package_kind, package_works)
  )`;

/**
 * Stores in the tenders of a notice what can be sold for each. A change gets a change number, so that devices receive
 * it with the next sync. It is no new version of the tender and sends no alert.
 */
export async function storePackageContents(manager: EntityManager, nit: string, now: Date): Promise<void> {
  const differing = await manager.query(`${WORK_CONTENTS} SELECT FROM differing LIMIT 1`, [nit, now]);
  if (differing.length === 0) return;
  await manager.transaction(async (locked) => {
    await takeChangeLock(locked);
    await locked.query(
      `${WORK_CONTENTS}
       UPDATE tender t SET package_kind = d.kind, package_works = d.works,
         change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
       FROM differing d WHERE t.id = d.id`,
      [nit, now],
    );
  });
}
