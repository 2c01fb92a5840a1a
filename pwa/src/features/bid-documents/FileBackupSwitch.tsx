import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { FileBackup } from '@nivida/contract/bids/file-backup';
import { formatBytes } from '@nivida/contract/format';
import { MAX_ALL_DOCUMENT_FILE_BYTES } from '@nivida/contract/limits';
import { useEffect, useState } from 'react';
import { backUpFiles, readFileBackup, switchFileBackup } from '../../data/bid-documents/file-backup.ts';
import type { VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { withDatabase } from '../../data/device/database.ts';
import { firmOf, useRecordOwner } from '../../data/firms/space.ts';
import { useSession } from '../../data/session.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Checkbox } from '../../ui/form/Checkbox.tsx';

/** In a firm there is no switch: its files are always backed up, because members share them through the backup. */
export function FileBackupSwitch({ documents }: { documents: readonly VaultDocument[] }) {
  const isFirm = firmOf(useRecordOwner()) !== undefined;
  if (!isFirm) return <AccountBackupSwitch documents={documents} />;
  return (
    <p className="s muted">
      <Trans>
        Photos and PDFs of a firm are backed up when the phone that added them is online, so that all members can open
        them. The copies are encrypted with a key of the firm, which the server keeps.
      </Trans>
    </p>
  );
}

/** Says where the files of documents are stored, and has the switch of the account's backup. */
function AccountBackupSwitch({ documents }: { documents: readonly VaultDocument[] }) {
  const owner = useSession()?.user._id ?? '';
  const [backup, setBackup] = useState<FileBackup>();
  const [wanted, setWanted] = useState(false);
  const { isBusy, problem, run } = useMutation(t`The backup was not changed`);
  useEffect(() => {
    if (owner === '') return;
    let isShown = true;
    const show = (read: FileBackup) => isShown && setBackup(read);
    withDatabase((db) => readFileBackup(db, owner)).then(show, () => undefined);
    return () => {
      isShown = false;
    };
  }, [owner]);
  if (owner === '')
    return (
      <p className="s muted">
        <Trans>
          Photos and PDFs are only on this phone. Names, numbers and dates reach your other devices when you are signed
          in.
        </Trans>
      </p>
    );

  const turn = (isOn: boolean) => {
    setWanted(isOn);
    return run(() =>
      withDatabase(async (db) => {
        setBackup(await switchFileBackup(db, owner, isOn));
        if (isOn) setBackup(await backUpFiles(db, owner));
      }),
    );
  };
  return (
    <Panel aria-labelledby="file-backup">
      <h2 id="file-backup">{t`Photos and PDFs`}</h2>
      <Checkbox
        checked={isBusy ? wanted : (backup?.isOn ?? false)}
        disabled={!backup || isBusy}
        onChange={({ currentTarget }) => void turn(currentTarget.checked)}
      >
        {t`Back up to my account`}
      </Checkbox>
      {problem && (
        <Note tone="red" alert>
          {problem}
        </Note>
      )}
      <p className="s muted" role="status">
        {isBusy ? t`Working…` : statusText(backup, documents)}
      </p>
      <p className="s muted">
        <Trans>
          The copies are encrypted with a key of your account, which the server keeps: they are safe from who steals the
          storage, not from the operator. Switching this off deletes them there; this phone keeps its files.
        </Trans>
      </p>
    </Panel>
  );
}

function statusText(backup: FileBackup | undefined, documents: readonly VaultDocument[]): string {
  if (!backup) return t`You can see the backup when you are online.`;
  if (!backup.isOn) return t`Photos and PDFs are only on the phone that added them.`;
  const backedUp = new Set(backup.hashes);
  const bytesByHash = new Map(documents.flatMap(({ files }) => (files ?? []).map(({ hash, bytes }) => [hash, bytes])));
  const total = bytesByHash.size;
  const arrived = [...bytesByHash.keys()].filter((hash) => backedUp.has(hash)).length;
  const count = plural(total, {
    one: `${arrived} of # file is in your account.`,
    other: `${arrived} of # files are in your account.`,
  });
  if (arrived === total) return count;
  const bytes = [...bytesByHash.values()].reduce((sum, each) => sum + each, 0);
  if (bytes > MAX_ALL_DOCUMENT_FILE_BYTES)
    return `${count} ${t`Your files have ${{ size: formatBytes(bytes) }}; an account has room for ${{ room: formatBytes(MAX_ALL_DOCUMENT_FILE_BYTES) }}. Delete files that you no longer need.`}`;
  return `${count} ${t`The others are sent when the phone that has them is online.`}`;
}
