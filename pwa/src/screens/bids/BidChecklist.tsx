import type { ChecklistTender } from '../../data/bid-documents/checklist-rows.ts';
import { RowDocument } from '../../features/bid-documents/RowDocument.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { VaultLink } from '../../features/bid-documents/VaultLink.tsx';
import { Checklist } from '../../features/checklist/Checklist.tsx';
import type { Deposit } from '../../features/deposits/deposit.ts';
import { depositSheetLine } from '../../features/deposits/sheet-line.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';

/** The checklist of a tender, with documents from the vault and buttons that share them. */
export function BidChecklist(props: { tender: ChecklistTender; deposits?: readonly Deposit[]; now: Date }) {
  const { tender, deposits, now } = props;
  const documents = useVaultDocuments() ?? [];
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
        renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
      />
    </>
  );
}
