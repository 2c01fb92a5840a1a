import { t } from '@lingui/core/macro';
import { ChangedFeed, type DeskFeed } from '@nivida/contract/desk/data-in';
import { ACCEPTANCES, type Acceptance } from '@nivida/contract/ingest/sent-files';
import { useState } from 'react';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { problemText } from './FileOutcome.tsx';

interface AcceptHeldFilesProps {
  feed: DeskFeed;
  /** Address of the feed below `api/desk`. */
  path: string;
  onDone: () => void;
}

/** Imports the waiting files of a feed whose problems the operator accepts; nothing where no file has such a problem. */
export function AcceptHeldFiles({ feed: { name, held_files }, path, onDone }: AcceptHeldFilesProps) {
  const [accepts, setAccepts] = useState<readonly Acceptance[]>([]);
  const files = held_files.filter(({ problem }) => ACCEPTANCES.some((each) => each === problem));
  if (files.length === 0) return null;
  const labels: Record<Acceptance, string> = {
    'mass-change': t`Many tenders may lose a field or move their dates`,
    state: t`The places may lie in another state`,
  };
  return (
    <ActButton
      label={t`Import all the same`}
      title={t`Import the waiting files of ${name}?`}
      path={`${path}/run`}
      body={{ accepts, files: files.map((file) => ({ name: file.name, sha256: file.sha256 })) }}
      schema={ChangedFeed}
      done={() => t`A worker reads it now`}
      onDone={onDone}
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
    </ActButton>
  );
}
