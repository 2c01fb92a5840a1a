import { type ReactNode, useId } from 'react';
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

/** Download in the side column of wide screens, over the other `actions` in a row. */
export function DownloadPanel({ actions }: { actions: ReactNode }) {
  const soon = useId();
  return (
    <div className={css.panel}>
      <Button look="main" disabled aria-describedby={soon}>
        Download documents · ₹99
      </Button>
      <p className="xs" id={soon}>
        Document packages come soon.
      </p>
      <PackagePrice />
      <div className={css.actions}>{actions}</div>
    </div>
  );
}

/** The same at the bottom of a phone, `actions` as squares. */
export function DownloadBar({ actions }: { actions: ReactNode }) {
  const soon = useId();
  return (
    <div className={css.bar}>
      <p id={soon}>Document packages come soon. Free at the portal; ₹99 collects, bundles, delivers.</p>
      {actions}
      <span className={css.main}>
        <Button look="main" disabled aria-describedby={soon}>
          Download ₹99
        </Button>
      </span>
    </div>
  );
}
