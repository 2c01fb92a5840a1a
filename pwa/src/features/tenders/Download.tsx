import { useId } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
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

/** Download and bookmark in the side column of wide screens. */
export function DownloadPanel({ title }: { title: string }) {
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
      <Button disabled aria-label={`Bookmark: ${title}`}>
        <Icon name="keep" /> Bookmark
      </Button>
    </div>
  );
}

/** The same at the bottom of a phone. */
export function DownloadBar({ title }: { title: string }) {
  const soon = useId();
  return (
    <div className={css.bar}>
      <p id={soon}>Document packages come soon. Free at the portal; ₹99 collects, bundles, delivers.</p>
      <Button look="icon" disabled aria-label={`Bookmark: ${title}`}>
        <Icon name="keep" />
      </Button>
      <span className={css.main}>
        <Button look="main" disabled aria-describedby={soon}>
          Download ₹99
        </Button>
      </span>
    </div>
  );
}
