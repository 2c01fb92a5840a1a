/** Counts the documents of a bid, for its card. */
import { plural, t } from '@lingui/core/macro';
import { isFault, isRowDone, type TenderChecklist } from './checklist-rows.ts';

interface DocumentCounts {
  total: number;
  /** Documents that are ready or not needed. */
  done: number;
  /** Documents that are missing by the user's mark, or that expire before the closing. */
  missing: number;
  /** Documents that are neither done nor known to be missing. */
  open: number;
}

/** Counts the rows of a checklist. */
export function countDocuments({ rows }: Pick<TenderChecklist, 'rows'>): DocumentCounts {
  const done = rows.filter(({ status }) => isRowDone(status)).length;
  const missing = rows.filter(({ status }) => isFault(status)).length;
  return { total: rows.length, done, missing, open: rows.length - done - missing };
}

/** '3 of 9 documents missing', '2 of 9 documents to check'. A list without open rows is no guarantee. */
export function documentCountsText({ total, missing, open }: DocumentCounts): string {
  if (missing > 0 && open > 0)
    return plural(total, {
      one: `${missing} of # document missing, ${open} to check`,
      other: `${missing} of # documents missing, ${open} to check`,
    });
  if (missing > 0)
    return plural(total, { one: `${missing} of # document missing`, other: `${missing} of # documents missing` });
  if (open > 0)
    return plural(total, { one: `${open} of # document to check`, other: `${open} of # documents to check` });
  if (total === 0) return t`No documents named`;
  return plural(total, { one: '# document ready or not needed', other: '# documents ready or not needed' });
}
