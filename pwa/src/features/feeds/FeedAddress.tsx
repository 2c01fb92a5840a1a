import { t } from '@lingui/core/macro';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { copyText } from '../../ui/feedback/copy-text.ts';
import css from './feeds.module.css';

interface FeedAddressProps {
  /** 'Feed (Atom)' */
  name: string;
  /** What it is for, in one sentence. */
  use: string;
  /** Path and query. */
  path: string;
  /** Offers to save the file, for a format that a browser saves. */
  isFile?: boolean;
}

/** The address of a feed with a button that copies it. */
export function FeedAddress({ name, use, path, isFile }: FeedAddressProps) {
  const address = `${location.origin}${path}`;
  return (
    <li className={css.feed}>
      <p>
        <b>{name}</b> <span className="s muted">{use}</span>
      </p>
      <code className={css.address}>{address}</code>
      <div className="row">
        <Button aria-label={t`Copy the address: ${name}`} onClick={() => copyText(address)}>
          {t`Copy the address`}
        </Button>
        {isFile && (
          <a className={css.file} href={path} download>
            <Icon name="download" small /> {t`Save the file`}
          </a>
        )}
      </div>
    </li>
  );
}

/** The addresses of a list in all formats. `pathOf` gives the path of a format. */
export function FeedAddresses({ pathOf }: { pathOf: (format: 'atom' | 'csv' | 'ics') => string }) {
  return (
    <ul className={css.feeds}>
      <FeedAddress name={t`Feed`} use={t`For feed readers (Atom): the 100 newest tenders.`} path={pathOf('atom')} />
      <FeedAddress name={t`CSV`} use={t`For a spreadsheet: up to 1,000 tenders.`} path={pathOf('csv')} isFile />
      <FeedAddress
        name={t`Calendar`}
        use={t`For your calendar, by subscription: the next closings, in Indian time.`}
        path={pathOf('ics')}
      />
    </ul>
  );
}
