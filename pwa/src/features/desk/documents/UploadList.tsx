import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { useOwner } from '../../../data/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import css from './documents.module.css';
import { refusalText } from './refusal-text.ts';
import { forgetEnded, sendFileAgain, type Upload, useUploads } from './uploads.ts';

function UploadStatus({ state }: Upload) {
  if (state === 'waiting') return <Status tone="gray" label={t`Waits`} />;
  if (state === 'sending') return <Status tone="blue" label={t`Being sent`} />;
  if (state === 'stored') return <Status tone="green" label={t`Attached`} />;
  if (state === 'same') return <Status tone="green" label={t`There already`} />;
  return <Status tone="red" label={state === 'refused' ? t`Refused` : t`Not sent`} />;
}

/** The files that are being sent and what became of them; those of one tender, or of all. */
export function UploadList({ tenderId }: { tenderId?: number }) {
  const { uploads } = useUploads();
  const member = useOwner();
  const shown = uploads.filter(
    (each) => each.owner === member && (tenderId === undefined || each.tenderId === tenderId),
  );
  if (shown.length === 0) return null;
  const total = shown.length;
  const ended = shown.filter(({ state }) => state !== 'waiting' && state !== 'sending').length;
  return (
    <section className="stack" aria-label={t`Files being sent`}>
      <p role="status">{t`${ended} of ${total} files done`}</p>
      <ul className={css.files}>
        {shown.map((upload) => (
          <li key={upload.key}>
            <p className={css.name}>
              {upload.name} <span className="s muted">{formatBytes(upload.file.size)}</span>
            </p>
            <p className="s">
              <UploadStatus {...upload} /> <span className="muted">{upload.tender}</span>
            </p>
            {upload.state === 'sending' && (
              <progress
                aria-label={t`Progress of ${upload.name}`}
                value={upload.sent}
                max={Math.max(upload.file.size, 1)}
              />
            )}
            {upload.note !== null && (
              <p className="s">{upload.problem ? refusalText(upload.problem) : <span lang="en">{upload.note}</span>}</p>
            )}
            {upload.state === 'failed' && <Button onClick={() => sendFileAgain(upload.key)}>{t`Send again`}</Button>}
          </li>
        ))}
      </ul>
      {ended > 0 && <Button look="plain" onClick={() => forgetEnded(shown)}>{t`Take off what is done`}</Button>}
    </section>
  );
}
