import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatAge, formatBytes, formatDate } from '@nivida/contract/format';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useDatabaseState } from '../../data/device/database.ts';
import { errorMessage } from '../../data/server/api.ts';
import { Sold } from '../../data/server/site.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { ErrorText, Note } from '../../ui/feedback/Note.tsx';
import { RowsSkeleton } from '../../ui/feedback/Skeleton.tsx';
import { openDocumentPage } from './document-offer.ts';
import css from './documents.module.css';
import { useLibrary, useOfflinePackages } from './library.ts';
import { openOfflinePackage, removeOfflinePackage, savePackageOffline } from './offline-packages.ts';

interface PackageRowProps {
  owned: PurchasedPackage;
  /** The version on this device. Undefined when it has none. */
  storedVersion: number | undefined;
  userId: string;
  /** Called after the packages on this device have changed. */
  onChange: () => Promise<void>;
}

/** Opens and removes a package on this device, without a connection. */
function OfflinePackageActions({ owned, userId, onChange }: Omit<PackageRowProps, 'storedVersion'>) {
  const [isGone, setIsGone] = useState(false);
  const { nit, title } = owned;
  const open = async () => setIsGone(!(await openOfflinePackage(userId, owned)));
  const remove = async () => {
    await removeOfflinePackage(userId, nit);
    await onChange();
  };
  return (
    <>
      <Button onClick={() => void open().catch(() => setIsGone(true))}>
        <Icon name="document" />{' '}
        <Trans>
          Open<span className="sr"> {title}</span>
        </Trans>
      </Button>
      <Button look="plain" onClick={() => void remove().catch(() => undefined)}>
        <Trans>
          Remove from this phone<span className="sr">: {title}</span>
        </Trans>
      </Button>
      {isGone && <p className="s">{t`It is not on this phone any more.`}</p>}
    </>
  );
}

function PackageRow({ owned, storedVersion, userId, onChange }: PackageRowProps) {
  const { tenderId, title, files, bytes, version, hasNewer, acquiredAt, by } = owned;
  const isOnline = useOnline();
  const isSaving = useDatabaseState(({ state }) => state !== 'unavailable');
  const download = useMutation(t`Failed to open the download`);
  const saveMutation = useMutation(t`Failed to save the documents on this phone`);
  const [share, setShare] = useState(0);
  const isOutdated = storedVersion !== undefined && storedVersion < version;
  const saveForOffline = async () => {
    setShare(0);
    await savePackageOffline(userId, owned, setShare);
    await onChange();
  };
  const day = formatDate(acquiredAt);
  const problem = saveMutation.problem ?? download.problem;
  return (
    <li>
      <h3 className="s clamp">
        <Link to={`/tenders/${tenderId}`}>{title}</Link>
      </h3>
      <p className="facts">
        <span>
          {plural(files.length, { one: '# file', other: '# files' })}, {formatBytes(bytes)}
        </span>
        <span>
          {by === 'purchase' ? t`Bought ${day}` : <Sold free={t`Downloaded ${day}`}>{t`With your plan ${day}`}</Sold>}
        </span>
        {storedVersion !== undefined && (
          <span className={css.here}>
            <Icon name="phone" small /> {t`On this phone`}
          </span>
        )}
      </p>
      {(hasNewer || isOutdated) && (
        <Note tone="amber" icon="change">
          {isOutdated
            ? t`A corrigendum has changed the documents since you saved them.`
            : t`A corrigendum has changed the documents since you last downloaded them.`}
        </Note>
      )}
      <div className="row">
        {storedVersion !== undefined && <OfflinePackageActions owned={owned} userId={userId} onChange={onChange} />}
        <Button
          busy={download.isBusy}
          disabled={!isOnline}
          onClick={() => void download.run(() => openDocumentPage(tenderId))}
        >
          <Icon name="download" />{' '}
          <Trans>
            Download<span className="sr"> {title}</span>
          </Trans>
        </Button>
        {isSaving && (storedVersion === undefined || isOutdated) && (
          <Button disabled={!isOnline || saveMutation.isBusy} onClick={() => void saveMutation.run(saveForOffline)}>
            <Icon name="phone" /> {isOutdated ? t`Update on this phone` : t`Save on this phone`} · {formatBytes(bytes)}
          </Button>
        )}
      </div>
      {saveMutation.isBusy && (
        <p className="s muted" role="status">
          {t`Downloading: ${{ received: formatBytes(share * bytes) }} of ${{ size: formatBytes(bytes) }}`}
        </p>
      )}
      <ErrorText text={problem} />
    </li>
  );
}

/** The user's document packages: downloaded, or saved on this phone and opened without a connection. */
export function Library({ userId, now }: { userId: string; now: Date }) {
  const list = useLibrary(userId);
  const { versions, refresh } = useOfflinePackages(userId);
  const packages = list.answer;
  // A package that was just saved is no longer outdated.
  const change = async () => {
    list.reload();
    await refresh();
  };
  return (
    <>
      {list.isLoading && <RowsSkeleton label={t`Loading your documents`} title={50} facts={35} />}
      {list.error !== undefined && (
        <ListError
          text={errorMessage(list.error, t`Failed to load your documents`)}
          offlineText={t`You are offline. Documents saved on this phone still open.`}
          age={list.receivedAt && formatAge(list.receivedAt, now)}
          onRetry={list.reload}
        />
      )}
      {packages?.length === 0 && (
        <>
          <p className="muted">
            {t`No documents yet.`}{' '}
            <Sold free={t`Download them on a tender's page.`}>
              {t`Buy them on a tender's page, or download them there with your plan.`}
            </Sold>
          </p>
          <div className="row">
            <ButtonLink to="/tenders">{t`Find tenders`}</ButtonLink>
          </div>
        </>
      )}
      {packages && packages.length > 0 && (
        <ul className="rows">
          {packages.map((owned) => (
            <PackageRow
              key={owned.nit}
              owned={owned}
              storedVersion={versions.get(owned.nit)}
              userId={userId}
              onChange={change}
            />
          ))}
        </ul>
      )}
    </>
  );
}
