import { useEffect, useState } from 'react';
import { observeDevice } from '../../data/device/database.ts';
import type { DeskRows } from '../../features/bids/read-desk.ts';
import type { DocumentState } from '../../features/bids/rules/next-step.ts';

type DocumentsOf = (bidId: string) => DocumentState | null;

/**
 * The documents of own entries and of bids whose tender is on the device. Renewed after each change of a mark
 * or a document. Null until the checklist's code and marks are loaded.
 */
export function useDocumentStates(rows: DeskRows | undefined): DocumentsOf | null {
  const [states, setStates] = useState<ReadonlyMap<string, DocumentState> | null>(null);
  useEffect(() => {
    if (!rows) return;
    let isWanted = true;
    let stop: () => void = () => undefined;
    // When the checklist's code cannot be loaded, the cards show everything else.
    void import('./document-states.ts')
      .then(({ readDocumentStates }) => {
        if (isWanted) stop = observeDevice((db) => readDocumentStates(db, rows), setStates);
      })
      .catch(() => undefined);
    return () => {
      isWanted = false;
      stop();
    };
  }, [rows]);
  return states && ((bidId) => states.get(bidId) ?? null);
}
