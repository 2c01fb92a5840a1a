import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  isBidderUpload,
  packageCoverageText,
  packageKindLabel,
  sellablePackage,
} from '@nivida/contract/orders/document-package';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { langOf } from '../../../ui/words/lang-of.ts';
import { type DocumentsAction, PackagePrice } from './DocumentActions.tsx';
import css from './Documents.module.css';

/** The portal's list of documents, by cover or type. */
function PortalDocumentList({ documents }: { documents: Tender['documents'] }) {
  return (
    <ul className={css.files}>
      {documents.map(({ cover, type, name }) => (
        <li key={`${cover} ${type} ${name}`}>
          <Icon name="document" />
          <span>
            <span lang={langOf(name)}>{name}</span>
            <small>{[cover && portalValueLabel(cover), type].filter(Boolean).join(' · ')}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

interface OfferProps {
  contents: NonNullable<ReturnType<typeof sellablePackage>>;
  tender: Tender;
  action: DocumentsAction;
}

/** The package that can be bought, with its price. */
function Offer({ contents, tender, action: { way } }: OfferProps) {
  const isDemonstration = way === 'demonstration';
  return (
    <>
      <ul className={css.files}>
        <li>
          <Icon name="document" />
          <span>
            <b>{packageKindLabel(contents.kind)}</b>
            <small>
              {packageCoverageText(contents, tender.nit_works)}
              {way !== 'closed' && way !== 'free' && !isDemonstration && ' · ₹99'}
            </small>
          </span>
        </li>
      </ul>
      {!isDemonstration && <PackagePrice />}
    </>
  );
}

/** The package on offer, the documents that the bidder uploads, and the portal's documents. */
export function Documents({ tender, action }: { tender: Tender; action: DocumentsAction }) {
  const isDemonstration = action.way === 'demonstration';
  const { source_tender_id: id } = tender;
  const portal = portalInfo(tender.source_portal).name;
  const contents = sellablePackage(tender);
  const uploads = tender.documents.filter(isBidderUpload);
  const published = tender.documents.filter((document) => !isBidderUpload(document));
  return (
    <>
      {contents && <Offer contents={contents} tender={tender} action={action} />}
      {uploads.length > 0 && (
        <section className={css.group} aria-labelledby="upload-documents">
          <h2 id="upload-documents">{t`What you must upload`}</h2>
          <p className="s muted">{t`Your own documents, by cover. They are not part of any package.`}</p>
          <PortalDocumentList documents={uploads} />
          <p className="s">
            <Link to={{ hash: 'checklist' }} replace preventScrollReset>
              {t`Tick them off in the checklist`}
            </Link>
          </p>
        </section>
      )}
      {published.length > 0 && (
        <section className={css.group} aria-labelledby="published-documents">
          <h2 id="published-documents">{t`What the portal lists`}</h2>
          <PortalDocumentList documents={published} />
        </section>
      )}
      {contents?.kind === 'nit-boq' && !isDemonstration && (
        <p className="s">
          <Link to={`/tenders/${tender._id}/boq`}>{t`Items of the BOQ, and my rates`}</Link>
        </p>
      )}
      {!contents && !isDemonstration && (
        <p className="s muted">
          <Trans>
            The official documents are free at {portal}, under {id}. We have no package of them.
          </Trans>
        </p>
      )}
      {isDemonstration && <p className="s muted">{action.note}</p>}
      {tender.documents.length === 0 && <p className="s muted">{t`The portal's list of documents is not known.`}</p>}
    </>
  );
}
