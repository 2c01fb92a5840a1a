import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatBytes } from '@nivida/contract/format';
import { languages } from '@nivida/contract/languages';
import { packageKindLabel, sellablePackage } from '@nivida/contract/orders/document-package';
import type { DocumentOfferResponse } from '@nivida/contract/orders/documents';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { ReactNode } from 'react';
import { errorMessage } from '../../data/server/api.ts';
import { Sold, useSellsNothing } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { DownloadButton } from './DownloadButton.tsx';
import { documentAccess, planDownloadLabel, useDocumentOffer } from './document-offer.ts';
import css from './documents.module.css';

interface DocumentDialogProps {
  tender: Tender;
  /** The name of the portal, where the official documents are free. */
  portal: string;
  /**
   * Renders the payment form. `waitsFor` is the reason why the package cannot be paid yet, `name` is its
   * content.
   */
  renderCheckout: (waitsFor: string | undefined, name: string) => ReactNode;
  /** Called when the user requests missing documents. */
  onAsk: () => void;
  onClose: () => void;
}

/** The least that a package holds: a document, the works, the read-me, and the summary in each language. */
const MAX_OPEN_FILES = 3 + languages().length;

/** The content of the package, shown before the payment. */
function PackageFiles({ offer }: { offer: DocumentOfferResponse }) {
  return (
    <details className={css.files} open={offer.files.length <= MAX_OPEN_FILES}>
      <summary>
        {plural(offer.files.length, { one: 'In the package: # file', other: 'In the package: # files' })}
        {offer.bytes !== null && <small>{formatBytes(offer.bytes)}</small>}
        <Icon name="next" small />
      </summary>
      <ul>
        {offer.files.map((file) => (
          <li key={file}>
            <Icon name="document" small /> <span>{file}</span>
          </li>
        ))}
      </ul>
      {offer.isDemonstration && <p className="xs muted">{t`Sample files only, no tender documents.`}</p>}
    </details>
  );
}

/** As high as a usual package, so that the fields below do not shift while the buyer types. */
function PackageFilesSkeleton() {
  return (
    <div className={css.loading} aria-busy="true">
      <p className="sr">{t`Checking the package`}</p>
      {[30, 20, 15, 10].map((characters) => (
        <p key={characters}>
          <Skeleton>{characters}</Skeleton>
        </p>
      ))}
    </div>
  );
}

function OfferProblem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isOnline = useOnline();
  if (!isOnline) {
    return (
      <Note tone="amber" icon="offline">
        <Trans>
          You are offline. What is in the package can be seen with a connection; nothing is sent or paid later by
          itself.
        </Trans>
      </Note>
    );
  }
  return (
    <Note tone="red" icon="warning" alert>
      <div className="row">
        <p>{errorMessage(error, t`Failed to load the document package`)}</p>
        <Button onClick={onRetry}>{t`Try Again`}</Button>
      </div>
    </Note>
  );
}

function MissingDocuments({ tender, portal, onAsk, onClose }: Omit<DocumentDialogProps, 'renderCheckout'>) {
  return (
    <>
      <Note icon="document">
        <p>
          <b>{t`Documents are not available yet`}</b>
        </p>
        <p>
          <Sold>{t`Nothing can be bought for this tender now.`} </Sold>
          {t`The official documents are free at ${portal}, under ${{ tenderId: tender.source_tender_id }}.`}
        </p>
      </Note>
      <DialogActions>
        <Button onClick={onClose}>{t`Close`}</Button>
        <Button look="main" onClick={onAsk}>
          {t`Ask for the documents`}
        </Button>
      </DialogActions>
    </>
  );
}

/** Documents that need no payment: the user owns them, or they are one of the plan's downloads. */
function FreeDocuments(props: { tender: Tender; offer: DocumentOfferResponse; isOwned: boolean; onClose: () => void }) {
  const { tender, offer, isOwned, onClose } = props;
  const sellsNothing = useSellsNothing();
  return (
    <>
      <p className="s">
        {isOwned
          ? t`These documents are yours. Download them as often as you like; a newer version after a corrigendum is included.`
          : sellsNothing
            ? t`Free here. The same NIT again this month is not counted twice.`
            : t`Included in your plan. The same NIT again this month is not counted twice.`}
      </p>
      <DownloadButton
        tenderId={tender._id}
        label={
          isOwned
            ? t`Download again`
            : planDownloadLabel(offer, sellsNothing ? t`Download` : t`Download with your plan`)
        }
      />
      <Button onClick={onClose}>{t`Close`}</Button>
    </>
  );
}

/** Says how many works of the NIT are in the package. */
function coverageText(works: number, nitWorks: number): string {
  return works >= nitWorks ? t`all ${nitWorks} works of this NIT` : t`${works} of the ${nitWorks} works of this NIT`;
}

/** SPEC's access dialog: the package, then the payment form or the download. */
export function DocumentDialog({ tender, portal, renderCheckout, onAsk, onClose }: DocumentDialogProps) {
  const session = useSession();
  const { answer: offer, error, isLoading, reload } = useDocumentOffer(tender._id, session?.user._id ?? '');
  const sellsNothing = useSellsNothing();
  const access = documentAccess(offer, { isSignedIn: session !== null, isLoading });
  // The device's data is used until the server has answered.
  const contents = offer ? offer.contents : sellablePackage(tender);
  const name = packageKindLabel(contents?.kind ?? 'nit-boq');
  const isSpent = offer?.planDownloads?.left === 0;
  const waitsFor = offer ? undefined : isLoading ? t`Checking the package…` : t`The package could not be checked yet.`;
  return (
    <Dialog title={t`Tender documents`} onClose={onClose} isForm>
      <p className="xs muted">
        <span className="num">{tender.source_tender_id}</span>
        {contents && ` · ${name}`}
        {contents && tender.nit_works > 1 && `, ${coverageText(contents.works, tender.nit_works)}`}
      </p>
      {error !== undefined && !offer && <OfferProblem error={error} onRetry={reload} />}
      {isLoading && <PackageFilesSkeleton />}
      {offer?.isReady && <PackageFiles offer={offer} />}
      {access === 'missing' && <MissingDocuments tender={tender} portal={portal} onAsk={onAsk} onClose={onClose} />}
      {access === 'closed' && (
        <Note icon="document">
          {t`This tender has closed.`} <Sold>{t`Its documents are not sold.`}</Sold>
        </Note>
      )}
      {offer && (access === 'owned' || access === 'plan') && (
        <FreeDocuments tender={tender} offer={offer} isOwned={access === 'owned'} onClose={onClose} />
      )}
      {access === 'buy' && isSpent && (
        <Note tone="amber">
          <Sold free={t`You have used all your downloads of this month. They reset on the 1st.`}>
            {t`You have used your plan's downloads of this month. They reset on the 1st.`}
          </Sold>
        </Note>
      )}
      {access === 'buy' && !(isSpent && sellsNothing) && renderCheckout(waitsFor, name)}
    </Dialog>
  );
}
