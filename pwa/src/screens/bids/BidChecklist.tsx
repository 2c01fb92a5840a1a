import { useMemo } from 'react';
import type { ChecklistTender } from '../../data/bid-documents/checklist-rows.ts';
import { useTenderReading } from '../../data/readings/readings.ts';
import { RowDocument } from '../../features/bid-documents/RowDocument.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { VaultLink } from '../../features/bid-documents/VaultLink.tsx';
import { Checklist } from '../../features/checklist/Checklist.tsx';
import type { Deposit } from '../../features/deposits/deposit.ts';
import { depositSheetLine } from '../../features/deposits/sheet-line.ts';
import { RowFacts } from '../../features/document-facts/RowFacts.tsx';
import { factsByKind } from '../../features/document-facts/row-facts.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';

const isTenderId = (id: string): boolean => /^\d+$/.test(id);

/** The checklist of a tender, with what its documents say about each row, with documents from the vault and buttons that share them. */
export function BidChecklist(props: { tender: ChecklistTender; deposits?: readonly Deposit[]; now: Date }) {
  const { tender, deposits, now } = props;
  const documents = useVaultDocuments() ?? [];
  // An own entry has no official documents.
  const { reading } = useTenderReading(isTenderId(tender._id) ? tender._id : null);
  const facts = useMemo(() => factsByKind(reading?.facts ?? []), [reading]);
  return (
    <>
      <VaultLink count={documents.length} />
      <Checklist
        tender={tender}
        now={now}
        documents={documents}
        depositLines={deposits?.map(depositSheetLine)}
        renderDocument={(row, onChoose) => (
          <RowDocument row={row} tender={tender} documents={documents} now={now} onChoose={onChoose} />
        )}
        renderFacts={({ kind }) => (
          <RowFacts tenderId={tender._id} facts={(kind && facts.get(kind.id)) ?? []} files={reading?.files ?? []} />
        )}
        renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
      />
    </>
  );
}
