import { t } from '@lingui/core/macro';
import { DeskTenderFiles, type FileOfTender } from '@nivida/contract/desk/documents';
import { formatBytes, formatDateTime } from '@nivida/contract/format';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Status } from '../../../ui/display/Status.tsx';
import { Note } from '../../../ui/feedback/Note.tsx';
import { FileButton } from '../../../ui/form/FileButton.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { AttachDialog, fileKindLabel } from './AttachDialog.tsx';
import { DropFiles } from './DropFiles.tsx';
import { type DroppedFile, stageForTender, useTenderFiles } from './desk-documents.ts';
import css from './documents.module.css';
import { refusalText } from './refusal-text.ts';
import { UploadList } from './UploadList.tsx';

/** How many requests a tender has. */
export const requestsText = (asked: number): string => (asked === 1 ? t`1 request` : t`${asked} requests`);

/** The side panel of a tender: its files, and where to drop more. */
export function TenderFilesPanel({ id }: { id: string }) {
  return (
    <DeskAnswer query={useTenderFiles(id)} failure={t`The tender could not be loaded`}>
      {(tender) => <TenderFiles tender={tender} />}
    </DeskAnswer>
  );
}

function TenderFiles({ tender }: { tender: DeskTenderFiles }) {
  const { asked, files, isSellable } = tender;
  return (
    <>
      <h2 lang="en">{tender.title}</h2>
      <p className="s">
        <Link to={`/tenders/${tender.id}`}>{tender.tender}</Link> <span className="muted">{tender.portal}</span>
      </p>
      <p className="s">
        {t`Closes ${formatDateTime(new Date(tender.closesAt))}`}
        {asked > 0 && ` · ${requestsText(asked)}`}
      </p>
      {files.length > 0 && !isSellable && (
        <Note tone="amber" icon="warning">
          {t`Without the notice (NIT) no one gets the package. Attach it, or attach a file again with the right kind.`}
        </Note>
      )}
      {isSellable && (
        <Note tone="green" icon="check">{t`Buyers get this package. Those who asked get a mail within minutes.`}</Note>
      )}
      <DropFiles
        label={t`Choose files`}
        hasOtherWorks={tender.hasOtherWorks}
        stage={(chosen) => stageForTender(chosen, tender)}
      >
        {t`Drop the files of this tender here.`}
      </DropFiles>
      <UploadList tenderId={tender.id} />
      {files.length === 0 ? (
        <p className="muted">{t`No files yet`}</p>
      ) : (
        <ul className={css.files} aria-label={t`Files of the tender`}>
          {files.map((file) => (
            <FileRow key={file.id} file={file} tender={tender} />
          ))}
        </ul>
      )}
    </>
  );
}

function FileRow({ file, tender }: { file: FileOfTender; tender: DeskTenderFiles }) {
  const { id, name, kind, allWorks, isOwn, state, bytes, note, problem } = file;
  const [staged, setStaged] = useState<DroppedFile[]>();
  return (
    <li>
      <p className={css.name}>
        {name} {bytes !== null && <span className="s muted">{formatBytes(bytes)}</span>}
      </p>
      <p className="s">
        {state === 'refused' && <Status tone="red" label={t`Refused`} />}
        {state === 'waiting' && <Status tone="amber" label={t`Being fetched from the portal`} />}{' '}
        {[fileKindLabel(kind), allWorks && t`for all works`].filter(Boolean).join(' · ')}
      </p>
      {note !== null && <p className="s">{problem ? refusalText(problem) : <span lang="en">{note}</span>}</p>}
      <div className="row">
        {isOwn && (
          <FileButton
            accept={name.replace(/^.*(?=\.)/, '')}
            onFiles={([chosen]) =>
              chosen &&
              setStaged(stageForTender([{ path: name, file: chosen }], tender).map((each) => ({ ...each, name, kind })))
            }
          >
            {t`Replace`}
          </FileButton>
        )}
        <ActButton
          label={t`Remove`}
          title={t`Remove ${name} from the package?`}
          path={`documents/${tender.id}/files/${id}/remove`}
          schema={DeskTenderFiles}
          done={() => t`Removed`}
          usualReasons={[t`File of another tender`, t`Old version`]}
        >
          <p>{t`New packages are without it. Packages that buyers have already stay as they are.`}</p>
        </ActButton>
      </div>
      {staged && (
        <AttachDialog
          staged={staged}
          hasOtherWorks={tender.hasOtherWorks}
          isForAllWorks={allWorks}
          onClose={() => setStaged(undefined)}
        />
      )}
    </li>
  );
}
