import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import type { ChecklistTender } from '../../data/bid-documents/checklist-rows.ts';
import { useTenderReading } from '../../data/readings/readings.ts';
import { useOwner } from '../../data/session.ts';
import { RowDocument } from '../../features/bid-documents/RowDocument.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { VaultLink } from '../../features/bid-documents/VaultLink.tsx';
import { Checklist } from '../../features/checklist/Checklist.tsx';
import type { Deposit } from '../../features/deposits/deposit.ts';
import { depositSheetLine } from '../../features/deposits/sheet-line.ts';
import { RowFacts } from '../../features/document-facts/RowFacts.tsx';
import { factsByKind } from '../../features/document-facts/row-facts.ts';
import { RowAssignee } from '../../features/firms/RowAssignee.tsx';
import { usePresentFirm } from '../../features/firms/useFirms.ts';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

const isTenderId = (id: string): boolean => /^\d+$/.test(id);

/** The checklist of a tender, with what its documents say about each row, with documents from the vault and buttons that share them. */
export function BidChecklist(props: { tender: ChecklistTender; deposits?: readonly Deposit[]; now: Date }) {
  const { tender, deposits, now } = props;
  const documents = useVaultDocuments() ?? [];
  const firm = usePresentFirm();
  const userId = useOwner();
  const [isMine, setIsMine] = useState(false);
  // An own entry has no official documents.
  const { reading } = useTenderReading(isTenderId(tender._id) ? tender._id : null);
  const facts = useMemo(() => factsByKind(reading?.facts ?? []), [reading]);
  return (
    <>
      <VaultLink count={documents.length} />
      {firm && (
        <Checkbox checked={isMine} onChange={({ target }) => setIsMine(target.checked)}>
          {t`Only what I do`}
        </Checkbox>
      )}
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
        renderAssignee={
          firm &&
          ((row, onAssign) => (
            <RowAssignee firm={firm} name={row.name} assigneeId={row.check?.assigneeId} onAssign={onAssign} />
          ))
        }
        isShown={firm && isMine ? ({ check }) => check?.assigneeId === userId : undefined}
        renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
      />
    </>
  );
}
