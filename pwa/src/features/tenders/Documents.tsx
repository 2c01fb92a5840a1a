import { isUpload, packageCover, packageName, packageOf } from '@nivida/contract/document-package';
import { portalOf } from '@nivida/contract/portals';
import type { Tender } from '@nivida/contract/tender';
import { Icon } from '../../ui/Icon.tsx';
import css from './Documents.module.css';
import { type DocumentsAction, PackagePrice } from './Download.tsx';

/** Documents as the portal lists them, by cover or type. */
function Listed({ documents }: { documents: Tender['documents'] }) {
  return (
    <ul className={css.files}>
      {documents.map(({ cover, type, name }) => (
        <li key={`${cover} ${type} ${name}`}>
          <Icon name="document" />
          <span>
            {name}
            <small>{[cover, type].filter(Boolean).join(' · ')}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What can be bought, then what the bidder uploads. */
export function Documents({ tender, action }: { tender: Tender; action: DocumentsAction }) {
  const isDemonstration = action.way === 'demonstration';
  const contents = packageOf(tender);
  const uploads = tender.documents.filter(isUpload);
  const published = tender.documents.filter((document) => !isUpload(document));
  return (
    <>
      {contents ? (
        <ul className={css.files}>
          <li>
            <Icon name="document" />
            <span>
              <b>{packageName(contents.kind)}</b>
              <small>
                {packageCover(contents, tender.nit_works)}
                {action.way !== 'closed' && !isDemonstration && ' · ₹99'}
              </small>
            </span>
          </li>
        </ul>
      ) : isDemonstration ? null : (
        <p className="s muted">
          The official documents are free at {portalOf(tender.source_portal).name}, under {tender.source_tender_id}. We
          have no package of them.
        </p>
      )}
      {isDemonstration ? <p className="s muted">{action.note}</p> : contents && <PackagePrice />}
      {published.length > 0 && (
        <section className={css.group} aria-labelledby="published-documents">
          <h3 id="published-documents">What the portal lists</h3>
          <Listed documents={published} />
        </section>
      )}
      {uploads.length > 0 && (
        <section className={css.group} aria-labelledby="upload-documents">
          <h3 id="upload-documents">What you must upload</h3>
          <p className="s muted">Your own papers, by cover. They are not part of any package.</p>
          <Listed documents={uploads} />
        </section>
      )}
      {tender.documents.length === 0 && <p className="s muted">The portal's list of documents is not known.</p>}
    </>
  );
}
