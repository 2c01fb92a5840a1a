import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.tsx';
import css from './DocumentActions.module.css';

/** What the fee buys, beside every place that offers the package (RESOLUTIONS R48). */
export function PackagePrice() {
  return (
    <p className="xs muted">
      Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery. This is not a
      government site; bids are submitted at the portal.
    </p>
  );
}

/**
 * What can be done about a tender's documents: 'owned', 'sold' for ₹99, 'ask' for them while we have none, 'asked',
 * 'demonstration', since no demonstration is sold for real money, or 'closed', since nothing is sold after closing.
 */
export type DocumentsAvailability = 'owned' | 'sold' | 'ask' | 'asked' | 'demonstration' | 'closed';

/** The way with its words; `note` stands beside the button. */
export interface DocumentsAction {
  way: DocumentsAvailability;
  note: string;
}

interface DocumentActionProps {
  documents: DocumentsAction;
  /** Bookmark, calendar and share. */
  actions: ReactNode;
  /** Opens the access dialog, or asks for the documents. */
  onDocuments: () => void;
}

const BUTTON_LABELS: Record<DocumentsAvailability, string | null> = {
  owned: 'Your documents',
  sold: 'Download documents · ₹99',
  ask: 'Ask for the documents',
  asked: 'You have asked',
  demonstration: null,
  closed: null,
};

/** The main button; none when nothing can be done. */
function DocumentsButton({
  documents: { way },
  isShort = false,
  onDocuments,
}: DocumentActionProps & { isShort?: boolean }) {
  const label = isShort && way === 'sold' ? 'Download ₹99' : BUTTON_LABELS[way];
  if (label === null) return null;
  const opens = way === 'owned' || way === 'sold' ? ({ 'aria-haspopup': 'dialog' } as const) : {};
  return (
    <Button look="main" disabled={way === 'asked'} {...opens} onClick={onDocuments}>
      {label}
    </Button>
  );
}

/** The documents in the side column of wide screens, over the other `actions` in a row. */
export function DownloadPanel(props: DocumentActionProps) {
  const { documents, actions } = props;
  return (
    <div className={css.panel}>
      <DocumentsButton {...props} />
      {documents.way === 'sold' ? <PackagePrice /> : <p className="xs muted">{documents.note}</p>}
      <div className={css.actions}>{actions}</div>
    </div>
  );
}

/** The same at the bottom of a phone, `actions` as squares. */
export function DownloadBar(props: DocumentActionProps) {
  const { documents, actions } = props;
  return (
    <div className={css.bar}>
      <p role="status">{documents.note}</p>
      {actions}
      <span className={css.main}>
        <DocumentsButton {...props} isShort />
      </span>
    </div>
  );
}
