import type { OwnedPackage } from '@nivida/contract/document';
import { formatAge, formatDate } from '@nivida/contract/format';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Shown } from '../../data/answers.ts';
import { messageOf } from '../../data/api.ts';
import { useDevice } from '../../data/device.ts';
import { usePress } from '../../data/press.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Note } from '../../ui/Note.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useOnline } from '../../ui/useOnline.ts';
import { openDownload, sizeText } from './access.ts';
import css from './documents.module.css';
import { keepPackage, openKept, removeKept } from './keep.ts';
import { useKept, useLibrary } from './library.ts';

interface PackageRowProps {
  owned: OwnedPackage;
  /** The version on this device; undefined for none. */
  kept: number | undefined;
  userId: string;
  /** What is on this device has changed. */
  onChange: () => Promise<void>;
}

/** A package that is on this device: opened and removed without a connection. */
function KeptActions({ owned, userId, onChange }: Omit<PackageRowProps, 'kept'>) {
  const [isGone, setIsGone] = useState(false);
  const { nit, title } = owned;
  const open = async () => setIsGone(!(await openKept(userId, owned)));
  const remove = async () => {
    await removeKept(userId, nit);
    await onChange();
  };
  return (
    <>
      <Button onClick={() => void open().catch(() => setIsGone(true))}>
        <Icon name="document" /> Open<span className="sr"> {title}</span>
      </Button>
      <Button look="plain" onClick={() => void remove().catch(() => undefined)}>
        Remove from this phone<span className="sr">: {title}</span>
      </Button>
      {isGone && <p className="s">It is not on this phone any more.</p>}
    </>
  );
}

function PackageRow({ owned, kept, userId, onChange }: PackageRowProps) {
  const { tenderId, title, files, bytes, version, hasNewer, acquiredAt, by } = owned;
  const isOnline = useOnline();
  const isKeeping = useDevice(({ state }) => state !== 'unavailable');
  const download = usePress('Failed to open the download');
  const keeping = usePress('Failed to keep the documents on this phone');
  const [share, setShare] = useState(0);
  const isOld = kept !== undefined && kept < version;
  const keep = async () => {
    setShare(0);
    await keepPackage(userId, owned, setShare);
    await onChange();
  };
  const problem = keeping.problem ?? download.problem;
  return (
    <li>
      <h3>
        <Link to={`/tenders/${tenderId}`}>{title}</Link>
      </h3>
      <p className={css.facts}>
        <span>
          {files.length} {files.length === 1 ? 'file' : 'files'}, {sizeText(bytes)}
        </span>
        <span>
          {by === 'purchase' ? 'Bought' : 'With your plan'} {formatDate(acquiredAt)}
        </span>
        {kept !== undefined && (
          <span className={css.here}>
            <Icon name="phone" small /> On this phone
          </span>
        )}
      </p>
      {(hasNewer || isOld) && (
        <Note tone="amber" icon="change">
          {isOld
            ? 'A corrigendum has changed the documents since they were kept here.'
            : 'A corrigendum has changed the documents since you last downloaded them.'}
        </Note>
      )}
      <div className="row">
        {kept !== undefined && <KeptActions owned={owned} userId={userId} onChange={onChange} />}
        <Button
          busy={download.isBusy}
          disabled={!isOnline}
          onClick={() => void download.run(() => openDownload(tenderId))}
        >
          <Icon name="download" /> Download<span className="sr"> {title}</span>
        </Button>
        {isKeeping && (kept === undefined || isOld) && (
          <Button disabled={!isOnline || keeping.isBusy} onClick={() => void keeping.run(keep)}>
            <Icon name="phone" /> {isOld ? 'Update on this phone' : 'Keep on this phone'} · {sizeText(bytes)}
          </Button>
        )}
      </div>
      {keeping.isBusy && (
        <p className="s muted" role="status">
          Downloading: {sizeText(share * bytes)} of {sizeText(bytes)}
        </p>
      )}
      <Problem text={problem} />
    </li>
  );
}

function Loading() {
  return (
    <ul className={css.rows} aria-busy="true">
      <li>
        <span className="sr">Loading your documents</span>
        <p>
          <Skeleton>The title of the tender whose documents were bought</Skeleton>
        </p>
        <p className="xs">
          <Skeleton>4 files, 1.8 MB, bought 15 Apr 2026</Skeleton>
        </p>
      </li>
    </ul>
  );
}

/** Why there is no list, or why it may be old. */
function ListProblem({ list, now }: { list: Shown<unknown>; now: Date }) {
  const isOnline = useOnline();
  if (list.error === undefined) return null;
  return (
    <Note tone="amber" icon={isOnline ? 'warning' : 'offline'} alert>
      <div className="row">
        <p>
          {isOnline ? messageOf(list.error, 'Failed to load your documents') : 'You are offline.'}
          {list.receivedAt && ` As of ${formatAge(list.receivedAt, now)}.`}
          {!isOnline && ' What is kept on this phone opens all the same.'}
        </p>
        {isOnline && <Button onClick={list.reload}>Try Again</Button>}
      </div>
    </Note>
  );
}

/** The user's document packages: to be downloaded, or kept on this phone and opened without signal. */
export function Library({ userId, now }: { userId: string; now: Date }) {
  const list = useLibrary(userId);
  const { kept, look } = useKept(userId);
  const packages = list.answer;
  // what was fetched just now is no longer newer than what the user has
  const change = async () => {
    list.reload();
    await look();
  };
  return (
    <>
      {list.isLoading && <Loading />}
      <ListProblem list={list} now={now} />
      {packages?.length === 0 && (
        <>
          <p className="muted">No documents yet. Buy them on a tender's page, or download them there with your plan.</p>
          <div className="row">
            <ButtonLink to="/tenders">Find tenders</ButtonLink>
          </div>
        </>
      )}
      {packages && packages.length > 0 && (
        <ul className={css.rows}>
          {packages.map((owned) => (
            <PackageRow key={owned.nit} owned={owned} kept={kept.get(owned.nit)} userId={userId} onChange={change} />
          ))}
        </ul>
      )}
    </>
  );
}
