import type { Tender } from '@nivida/contract/tender';
import { Icon } from '../../ui/Icon.tsx';
import css from './Documents.module.css';
import { PackagePrice } from './Download.tsx';

/** The package and what the portal lists, by cover. */
export function Documents({ tender }: { tender: Tender }) {
  return (
    <>
      <ul className={css.files}>
        <li>
          <Icon name="document" />
          <span>
            <b>NIT &amp; BOQ</b>
            <small>
              {tender.nit_works > 1 ? 'One package for all works of this NIT' : 'The document package'} · ₹99
            </small>
          </span>
        </li>
        {tender.documents.map(({ cover, type, name }) => (
          <li key={`${cover} ${type} ${name}`}>
            <Icon name="document" />
            <span>
              {name}
              <small>{[cover, type].filter(Boolean).join(' · ')}</small>
            </span>
          </li>
        ))}
      </ul>
      {tender.documents.length === 0 && <p className="s muted">The portal's list of documents is not known.</p>}
      <PackagePrice />
    </>
  );
}
