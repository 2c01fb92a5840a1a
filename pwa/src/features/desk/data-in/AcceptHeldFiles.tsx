import { t } from '@lingui/core/macro';
import { ChangedFeed, type DeskFeed } from '@nivida/contract/desk/data-in';
import { ACCEPTANCES, type Acceptance } from '@nivida/contract/ingest/sent-files';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ActDialog } from '../act/ActDialog.tsx';
import { problemText } from './FileOutcome.tsx';

interface AcceptHeldFilesProps {
  feed: DeskFeed;
  /** Address of the feed below `api/desk`. */
  path: string;
  onDone: () => void;
}

/** Imports the waiting files of a feed whose problems the operator accepts; nothing where no file has such a problem. */
export function AcceptHeldFiles({ feed, path, onDone }: AcceptHeldFilesProps) {
  // The list is loaded again while the dialog is open, and accepted is what the operator has read there.
  const [seen, setSeen] = useState<DeskFeed>();
  const files = acceptableFiles(feed);
  return (
    <>
      {files.length > 0 && <Button onClick={() => setSeen(feed)}>{t`Import all the same`}</Button>}
      {seen && <AcceptDialog feed={seen} path={path} onDone={onDone} onClose={() => setSeen(undefined)} />}
    </>
  );
}

const acceptableFiles = ({ held_files }: DeskFeed) =>
  held_files.filter(({ problem }) => ACCEPTANCES.some((each) => each === problem));

function AcceptDialog({ feed, onClose, ...act }: AcceptHeldFilesProps & { onClose: () => void }) {
  const [accepts, setAccepts] = useState<readonly Acceptance[]>([]);
  const files = acceptableFiles(feed);
  const labels: Record<Acceptance, string> = {
    'mass-change': t`Many tenders may lose a field or move their dates`,
    state: t`The places may lie in another state`,
  };
  return (
    <ActDialog
      label={t`Import all the same`}
      title={t`Import the waiting files of ${{ name: feed.name }}?`}
      path={`${act.path}/run`}
      body={{ accepts, files: files.map(({ name, sha256 }) => ({ name, sha256 })) }}
      schema={ChangedFeed}
      done={() => t`A worker reads it now`}
      onDone={act.onDone}
      onClose={onClose}
    >
      <ul className="stack">
        {files.map((file) => (
          <li key={file.name}>
            <strong>{file.name}</strong>: {problemText(file.problem)}
            <p className="s muted" lang="en">
              {file.text}
            </p>
          </li>
        ))}
      </ul>
      {ACCEPTANCES.map((problem) => (
        <Checkbox
          key={problem}
          checked={accepts.includes(problem)}
          onChange={({ target }) =>
            setAccepts(ACCEPTANCES.filter((each) => (each === problem ? target.checked : accepts.includes(each))))
          }
        >
          {labels[problem]}
        </Checkbox>
      ))}
    </ActDialog>
  );
}
