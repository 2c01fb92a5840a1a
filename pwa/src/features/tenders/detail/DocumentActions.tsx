import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from './DocumentActions.module.css';

/** The fee and its contents, shown with every offer of the package (R48). */
export function PackagePrice() {
  return (
    <p className="xs muted" data-clock="">
      Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery. This is not a
      government site; bids are submitted at the portal.
    </p>
  );
}

/**
 * State of a tender's documents: 'owned'; 'sold' for ₹99; 'ask' while we have none; 'asked' after the request;
 * 'demonstration', which is not sold for real money; 'closed', because nothing is sold after closing.
 */
export type DocumentsAvailability = 'owned' | 'sold' | 'ask' | 'asked' | 'demonstration' | 'closed';

/** The availability with its texts; `note` is beside the button. */
export interface DocumentsAction {
  way: DocumentsAvailability;
  note: string;
}

interface DocumentActionProps {
  documents: DocumentsAction;
  /** Bookmark, calendar and share. */
  actions: ReactNode;
  /** Opens the access dialog or requests the documents. */
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

/** The main button; renders nothing without an action. */
function DocumentsButton({
  documents: { way },
  isShort = false,
  onDocuments,
}: DocumentActionProps & { isShort?: boolean }) {
  const label = isShort && way === 'sold' ? 'Download ₹99' : BUTTON_LABELS[way];
  if (label === null) return null;
  const opens = way === 'owned' || way === 'sold' ? ({ 'aria-haspopup': 'dialog' } as const) : {};
  return (
    <Button look="main" data-clock="" disabled={way === 'asked'} {...opens} onClick={onDocuments}>
      {(way === 'owned' || way === 'sold') && <Icon name="download" />} {label}
    </Button>
  );
}

/** Document button and other `actions` in the side column of wide screens. */
export function DownloadPanel(props: DocumentActionProps) {
  const { documents, actions } = props;
  return (
    <div className={css.panel}>
      <DocumentsButton {...props} />
      {documents.way === 'sold' ? (
        <PackagePrice />
      ) : (
        <p className="xs muted" data-clock="">
          {documents.note}
        </p>
      )}
      <div className={css.actions}>{actions}</div>
    </div>
  );
}

/** Document button and other `actions` in the bottom bar of a phone. */
export function DownloadBar(props: DocumentActionProps) {
  const { documents, actions } = props;
  return (
    <div className={css.bar}>
      <p role="status" data-clock="">
        {documents.note}
      </p>
      {actions}
      <span className={css.main}>
        <DocumentsButton {...props} isShort />
      </span>
    </div>
  );
}
