/** Attachments of a source tender: addresses of official files, and bills of quantities. */
import type { EntityManager } from 'typeorm';
import { DELETE_BOQ_ITEMS, INSERT_BOQ_ITEMS, UPSERT_PACKAGE_FILES } from './ingest.sql.ts';
import type { OfficialFile, SourceTender } from './source-tender.ts';

/** Maximum files of one tender. A longer list is an error of the source. */
const MAX_FILES = 100;
const MAX_NAME_CHARACTERS = 100;

/**
 * Queues the files of new and changed tenders for the fetch job, and replaces their bills of quantities. A file whose
 * address has changed is fetched again. Files of demonstration tenders are not fetched.
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
  await manager.query(DELETE_BOQ_ITEMS, [
    JSON.stringify(keyed.map(({ portal, source_id }) => ({ portal, source_id }))),
  ]);
  if (boq.length > 0) await manager.query(INSERT_BOQ_ITEMS, [JSON.stringify(boq)]);
  const files =
    origin === 'portal'
      ? keyed.flatMap(({ files, ...key }) => withUniqueNames(files ?? []).map((file) => ({ ...key, ...file })))
      : [];
  if (files.length === 0) return;
  await manager.query(UPSERT_PACKAGE_FILES, [JSON.stringify(files), now]);
}

/** Makes names unique, so that two files with the same name are both stored. */
function withUniqueNames(files: NonNullable<SourceTender['files']>): OfficialFile[] {
  const taken = new Set<string>();
  return files.slice(0, MAX_FILES).map(({ name, kind, url }) => {
    const dot = name.lastIndexOf('.');
    const stem = name.slice(0, dot).slice(0, MAX_NAME_CHARACTERS);
    let unique = stem;
    // A portal may use such a number itself.
    for (let count = 2; taken.has(unique); count++) unique = `${stem} (${count})`;
    taken.add(unique);
    return { name: `${unique}${name.slice(dot)}`, kind, url };
  });
}
