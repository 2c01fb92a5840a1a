/** Counts the documents of a bid, for its card. */
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

const documents = (count: number): string => (count === 1 ? 'document' : 'documents');

/** '3 of 9 documents missing', '2 of 9 documents to check'. A list without open rows is no guarantee. */
export function documentCountsText({ total, missing, open }: DocumentCounts): string {
  const of = (count: number) => `${count} of ${total} ${documents(total)}`;
  if (missing > 0) return `${of(missing)} missing${open > 0 ? `, ${open} to check` : ''}`;
  if (open > 0) return `${of(open)} to check`;
  return total === 0 ? 'No documents named' : `${total} ${documents(total)} ready or not needed`;
}
