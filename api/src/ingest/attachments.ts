/** What a source gives beside the notice itself: addresses of official files, and bills of quantities. */
import type { EntityManager } from 'typeorm';
import type { OfficialFile, SourceTender } from './source-tender.ts';

/** Longer lists are no documents of one tender. */
const MAX_FILES = 100;
const MAX_NAME_CHARACTERS = 100;

/**
 * Notes the files of new and changed tenders for the job that fetches them, and replaces their bills of quantities. A file
 * whose address has changed is fetched anew; demonstration tenders fetch nothing.
 */
export async function storeAttachments(
  manager: EntityManager,
  tenders: readonly SourceTender[],
  { now, origin }: { now: Date; origin: string },
): Promise<void> {
  const keyed = tenders.map(({ portal, sourceId, files, boq }) => ({ portal, source_id: sourceId, files, boq }));
  const boq = keyed.flatMap(({ files: _files, boq: lines, ...key }) =>
    (lines ?? []).map((line, index) => ({ ...key, no: index + 1, ...line })),
  );
  await manager.query(
    `DELETE FROM boq_item b USING tender t, jsonb_to_recordset($1) AS k(portal text, source_id text)
     WHERE t.portal = k.portal AND t.source_id = k.source_id AND b.tender_id = t.id`,
    [JSON.stringify(keyed.map(({ portal, source_id }) => ({ portal, source_id })))],
  );
  if (boq.length > 0)
    await manager.query(
      `INSERT INTO boq_item (tender_id, no, description, quantity, unit)
       SELECT t.id, l.no, l.description, l.quantity, l.unit
       FROM jsonb_to_recordset($1) AS l(portal text, source_id text, no integer, description text, quantity numeric, unit text)
         JOIN tender t USING (portal, source_id)`,
      [JSON.stringify(boq)],
    );
  const files =
    origin === 'portal'
      ? keyed.flatMap(({ files, ...key }) => withUniqueNames(files ?? []).map((file) => ({ ...key, ...file })))
      : [];
  if (files.length === 0) return;
  await manager.query(
    `INSERT INTO package_file AS held (nit, tender_id, name, kind, source_url, state, next_try_at, added_at)
     SELECT nit_of(t.nit_key, t.id), t.id, f.name, f.kind, f.url, 'waiting', $2, $2
     FROM jsonb_to_recordset($1) AS f(portal text, source_id text, name text, kind text, url text) JOIN tender t USING (portal, source_id)
     ON CONFLICT (nit, tender_id, name) DO UPDATE SET source_url = excluded.source_url, kind = excluded.kind, state = 'waiting', tries = 0,
       next_try_at = excluded.next_try_at, note = NULL
     WHERE held.source_url <> excluded.source_url`,
    [JSON.stringify(files), now],
  );
}

/** Each name once: of two files that are called the same both are wanted. */
function withUniqueNames(files: NonNullable<SourceTender['files']>): OfficialFile[] {
  const taken = new Map<string, number>();
  return files.slice(0, MAX_FILES).map(({ name, kind, url }) => {
    const dot = name.lastIndexOf('.');
    const stem = name.slice(0, dot).slice(0, MAX_NAME_CHARACTERS);
    const count = (taken.get(stem) ?? 0) + 1;
    taken.set(stem, count);
    return { name: `${stem}${count > 1 ? ` (${count})` : ''}${name.slice(dot)}`, kind, url };
  });
}
