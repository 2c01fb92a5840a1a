import { t } from '@lingui/core/macro';
import type { OwnReading } from '@nivida/contract/documents/tender-reading';
import { formatBytes, formatTime } from '@nivida/contract/format';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SharedFileRow } from '../../data/device/schema.ts';
import { sendSharedFilesSoon, useReadingUploads } from '../../data/shared-files/send-shared-files.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import { BidChooser } from './BidChooser.tsx';
import { cancelSending, chooseTender, refusedText, removeSharedFile } from './shared-file-actions.ts';
import css from './shared-files.module.css';
import { useBidChoices } from './useSharedFiles.ts';

interface SharedFileCardProps {
  row: SharedFileRow;
  /** Adds a picture to the user's documents. */
  onAddToDocuments: (row: SharedFileRow) => void;
  /** Shows what the file says. */
  renderReading: (reading: OwnReading) => ReactNode;
}

/** One shared file: to which bid it belongs, how far it is, what it says. */
export function SharedFileCard(props: SharedFileCardProps) {
  const { row } = props;
  const { id, name, bytes } = row;
  return (
    <Panel stack aria-labelledby={`file-${id}`}>
      <div className={css.top}>
        <h2 id={`file-${id}`} lang={langOf(name)}>
          {name}
        </h2>
        <span className="xs muted num">{formatBytes(bytes)}</span>
      </div>
      <CardBody {...props} />
      <div className="under-list">
        <Button look="plain" onClick={() => void removeSharedFile(row)}>
          {t`Remove`}
        </Button>
      </div>
    </Panel>
  );
}

function CardBody({ row, onAddToDocuments, renderReading }: SharedFileCardProps) {
  const { kind, tenderId, refusal, reading } = row;
  const refused = refusedText(row);
  if (refused !== null)
    return (
      <Note tone="amber" icon="warning">
        {refused}
      </Note>
    );
  if (kind === 'picture')
    return (
      <>
        <p className="s">{t`This is a picture. It cannot be read, but you can add it to your documents for bids.`}</p>
        <div className="row">
          <Button look="main" onClick={() => onAddToDocuments(row)}>
            {t`Add to my documents`}
          </Button>
        </div>
      </>
    );
  if (reading)
    return (
      <>
        <KeptState row={row} reading={reading} />
        {renderReading(reading)}
      </>
    );
  if (refusal !== null)
    return (
      <>
        <Note tone="red" icon="warning" alert>
          {refusal}
        </Note>
        <div className="row">
          <Button onClick={() => void chooseTender(row, tenderId ?? '')}>{t`Try Again`}</Button>
        </div>
      </>
    );
  if (tenderId === null)
    return (
      <BidChooser onOnlyRead={() => void chooseTender(row, '')} onChoose={(chosen) => void chooseTender(row, chosen)} />
    );
  return <Sending row={row} />;
}

/** How far a file is that is being sent, or why it waits. */
export function Sending({ row }: { row: SharedFileRow }) {
  const progress = useReadingUploads((uploads) => uploads[row.id]);
  const isOnline = useOnline();
  const percent = Math.round((progress?.sent ?? 0) * 100);
  return (
    <div className="stack" aria-busy={isOnline}>
      {isOnline ? (
        <>
          <label className={css.progress}>
            <span className="s">
              {progress && progress.sent < 1 ? t`Sending: ${percent} %` : t`Waiting to be sent and read`}
            </span>
            <progress value={progress?.sent ?? 0} max={1} />
          </label>
          {progress?.delay && <Note tone="amber">{progress.delay}</Note>}
        </>
      ) : (
        <Note tone="amber" icon="offline">
          {t`The file is saved on this phone. It is sent and read when there is a connection.`}
        </Note>
      )}
      <div className="row">
        {isOnline && progress?.delay && <Button onClick={sendSharedFilesSoon}>{t`Try Again`}</Button>}
        <Button onClick={() => void cancelSending(row)}>{t`Cancel`}</Button>
      </div>
    </div>
  );
}

function KeptState({ row, reading }: { row: SharedFileRow; reading: OwnReading }) {
  const [isChoosing, setIsChoosing] = useState(false);
  const choices = useBidChoices();
  const { tenderId, refusal } = row;
  if (tenderId && refusal === null) {
    const title = choices?.find((choice) => choice.tenderId === tenderId)?.title;
    return (
      <div className={css.kept}>
        <p className="s">
          <Icon name="check" small />{' '}
          {reading.tenderId === tenderId ? t`Kept with this tender:` : t`It will be kept with this tender:`}{' '}
          <Link to={`/tenders/${tenderId}`}>{title || t`Tender ${tenderId}`}</Link>
        </p>
        <Button look="link" onClick={() => void chooseTender(row, '')}>
          {t`Do not keep`}
        </Button>
      </div>
    );
  }
  return (
    <>
      {refusal !== null && (
        <Note tone="red" icon="warning" alert>
          {refusal}
        </Note>
      )}
      {reading.expiresAt !== null && (
        <p className="s muted">
          {t`Only you see this. It is deleted at ${{ time: formatTime(new Date(reading.expiresAt)) }} unless you keep it.`}
        </p>
      )}
      {isChoosing ? (
        <BidChooser
          onChoose={(chosen) => {
            setIsChoosing(false);
            void chooseTender(row, chosen);
          }}
        />
      ) : (
        <div className="row">
          <Button look="main" onClick={() => setIsChoosing(true)}>
            {t`Keep with a tender`}
          </Button>
        </div>
      )}
    </>
  );
}
