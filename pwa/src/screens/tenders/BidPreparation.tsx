import type { Tender } from '@nivida/contract/tenders/tender';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { RowDocument } from '../../features/bid-documents/RowDocument.tsx';
import { useVaultDocuments } from '../../features/bid-documents/useVault.ts';
import { Checklist } from '../../features/checklist/Checklist.tsx';
import { MayIBid } from '../../features/eligibility/MayIBid.tsx';
import { CopyListButton } from '../../features/share/CopyListButton.tsx';

/** Whether the user may bid for a tender, then what to upload. */
export function BidPreparation({ tender, now }: { tender: Tender; now: Date }) {
  const isSignedIn = useSession() !== null;
  const documents = useVaultDocuments() ?? [];
  return (
    <>
      <MayIBid tender={tender} now={now} />
      {isSignedIn && (
        <p>
          <Link to="/dashboard/documents">Document vault: {documents.length}</Link>
        </p>
      )}
      <Checklist
        tender={tender}
        now={now}
        documents={documents}
        renderDocument={(row, onChoose) => (
          <RowDocument row={row} tender={tender} documents={documents} now={now} onChoose={onChoose} />
        )}
        renderCopy={(label, makeText) => <CopyListButton label={label} makeText={makeText} />}
      />
    </>
  );
}
