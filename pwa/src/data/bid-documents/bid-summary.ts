/** How far the documents of a bid are, for its card. */
import { isFault, isSettled, type TenderChecklist } from './checklist-rows.ts';

export interface DocumentCounts {
  total: number;
  /** Ready or not needed. */
  settled: number;
  /** Missing by the user's mark, or expired before the closing. */
  missing: number;
  /** Neither settled nor known to be missing. */
  open: number;
}

/** Counts the rows of a checklist. */
export function countDocuments({ rows }: Pick<TenderChecklist, 'rows'>): DocumentCounts {
  const settled = rows.filter(({ status }) => isSettled(status)).length;
  const missing = rows.filter(({ status }) => isFault(status)).length;
  return { total: rows.length, settled, missing, open: rows.length - settled - missing };
}

const documents = (count: number): string => (count === 1 ? 'document' : 'documents');

/** '3 of 9 documents missing', '2 of 9 documents to check'; a list without open rows is no guarantee. */
export function documentCountsText({ total, missing, open }: DocumentCounts): string {
  const of = (count: number) => `${count} of ${total} ${documents(total)}`;
  if (missing > 0) return `${of(missing)} missing${open > 0 ? `, ${open} to check` : ''}`;
  if (open > 0) return `${of(open)} to check`;
  return total === 0 ? 'No documents named' : `${total} ${documents(total)} ready or not needed`;
}
