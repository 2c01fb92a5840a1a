import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import css from './Download.module.css';

/** What the fee buys, beside every place that offers the package (RESOLUTIONS R48). */
export function PackagePrice() {
  return (
    <p className="xs muted">
      Official documents are free at the portal. ₹99 pays for collecting, bundling and delivery. This is not a
      government site; bids are submitted at the portal.
    </p>
  );
}

interface DownloadProps {
  /** The user has the documents already. */
  isOwned: boolean;
  /** Bookmark, calendar and share. */
  actions: ReactNode;
  /** Opens the access dialog. */
  onDownload: () => void;
}

/** Download in the side column of wide screens, over the other `actions` in a row. */
export function DownloadPanel({ isOwned, actions, onDownload }: DownloadProps) {
  return (
    <div className={css.panel}>
      <Button look="main" aria-haspopup="dialog" onClick={onDownload}>
        {isOwned ? 'Your documents' : 'Download documents · ₹99'}
      </Button>
      {!isOwned && <PackagePrice />}
      <div className={css.actions}>{actions}</div>
    </div>
  );
}

/** The same at the bottom of a phone, `actions` as squares. */
export function DownloadBar({ isOwned, actions, onDownload }: DownloadProps) {
  return (
    <div className={css.bar}>
      <p>{isOwned ? 'These documents are yours.' : 'Free at the portal. ₹99 collects, bundles, delivers.'}</p>
      {actions}
      <span className={css.main}>
        <Button look="main" aria-haspopup="dialog" onClick={onDownload}>
          {isOwned ? 'Your documents' : 'Download ₹99'}
        </Button>
      </span>
    </div>
  );
}
