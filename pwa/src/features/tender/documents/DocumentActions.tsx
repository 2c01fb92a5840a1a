import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Sold } from '../../../data/server/site.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from './DocumentActions.module.css';

/** The fee and the package's contents. They are shown with every offer of the package (R48). */
export function PackagePrice() {
  return (
    <p className="xs muted" data-clock="">
      {t`Official documents are free at the portal.`} <Sold>{t`₹99 pays for collecting, bundling and delivery.`} </Sold>
      {t`This is not a government site; bids are submitted at the portal.`}
    </p>
  );
}

/**
 * - 'owned': the user has the documents
 * - 'sold': for ₹99
 * - 'free': nothing is sold on this server
 * - 'ask': there is no package; it can be requested
 * - 'asked': it was requested
 * - 'demonstration': never sold for real money
 * - 'closed': nothing is sold after closing
 */
export type DocumentsAvailability = 'owned' | 'sold' | 'free' | 'ask' | 'asked' | 'demonstration' | 'closed';

/** The availability with its texts. `note` is shown beside the button. */
export interface DocumentsAction {
  way: DocumentsAvailability;
  note: string;
}

interface DocumentActionProps {
  documents: DocumentsAction;
  /** The buttons for bookmark, calendar and share. */
  actions: ReactNode;
  /** Opens the access dialog or requests the documents. */
  onDocuments: () => void;
}

const buttonLabels = (isShort: boolean): Record<DocumentsAvailability, string | null> => ({
  owned: t`Your documents`,
  sold: isShort ? t`Download ₹99` : t`Download documents · ₹99`,
  free: isShort ? t`Download` : t`Download documents`,
  ask: t`Ask for the documents`,
  asked: t`You have asked`,
  demonstration: null,
  closed: null,
});

/** The main button. Renders nothing without an action. */
function DocumentsButton({
  documents: { way },
  isShort = false,
  onDocuments,
}: DocumentActionProps & { isShort?: boolean }) {
  const label = buttonLabels(isShort)[way];
  if (label === null) return null;
  const isDownload = way === 'owned' || way === 'sold' || way === 'free';
  const opens = isDownload ? ({ 'aria-haspopup': 'dialog' } as const) : {};
  return (
    <Button look="main" data-clock="" disabled={way === 'asked'} {...opens} onClick={onDocuments}>
      {isDownload && <Icon name="download" />} {label}
    </Button>
  );
}

/** The document button and the other `actions`, in the side column of wide screens. */
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

/** The document button and the other `actions`, in the bottom bar of a phone. */
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
