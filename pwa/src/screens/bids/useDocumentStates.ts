import { useEffect, useState } from 'react';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import type { DocumentState } from '../../features/bids/rules/next-step.ts';

type DocumentsOf = (tenderId: string) => DocumentState | null;

/** The documents of all bids with a tender on the device; null until the checklist's code and marks are loaded. */
export function useDocumentStates(rows: DeskRows | undefined): DocumentsOf | null {
  const [states, setStates] = useState<ReadonlyMap<string, DocumentState> | null>(null);
  useEffect(() => {
    if (!rows) return;
    let isWanted = true;
    // Without the code of the checklist the cards show the rest.
    void import('./document-states.ts')
      .then(({ readDocumentStates }) => readDocumentStates(rows.tenders))
      .then((read) => isWanted && setStates(read))
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [rows]);
  return states && ((tenderId) => states.get(tenderId) ?? null);
}
