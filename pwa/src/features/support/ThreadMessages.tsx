import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import type { SupportMessage } from '@nivida/contract/support/threads';
import { useState } from 'react';
import type { PendingMessageRow } from '../../data/device/schema.ts';
import type { ShownThread } from '../../data/support/support-rows.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { AttachmentDialog } from './AttachmentDialog.tsx';
import { messageTime, pendingText, senderLabel } from './labels.ts';
import css from './support.module.css';
import { discardMessage, sendAgain } from './support-actions.ts';

type OpenFile = (attachment: SupportAttachment) => void;

function Attachments({ files, onOpen }: { files: readonly SupportAttachment[]; onOpen: OpenFile }) {
  if (files.length === 0) return null;
  return (
    <ul className={css.attachments}>
      {files.map((file) => (
        <li key={file.id}>
          <Button aria-haspopup="dialog" onClick={() => onOpen(file)}>
            <Icon name="document" /> <span className={css.file}>{file.name}</span>
            <small className="muted">{formatBytes(file.bytes)}</small>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function SentMessage({ message, now, onOpen }: { message: SupportMessage; now: Date; onOpen: OpenFile }) {
  const { sender, text, createdAt, attachments } = message;
  const time = messageTime(new Date(createdAt), now);
  return (
    <li data-sender={sender}>
      <p className={css.by}>
        <b>{senderLabel(sender)}</b>
        <time dateTime={createdAt}>{sender === 'user' ? t`Sent ${time}` : time}</time>
      </p>
      <p className={css.text}>{text}</p>
      <Attachments files={attachments} onOpen={onOpen} />
    </li>
  );
}

function WaitingMessage(props: {
  message: PendingMessageRow;
  now: Date;
  onOpen: OpenFile;
  onEdit: (message: PendingMessageRow) => void;
}) {
  const { message, now, onOpen, onEdit } = props;
  const isOnline = useOnline();
  const { text, files, refusal } = message;
  const isRefused = refusal !== null;
  return (
    <li data-sender="user" data-tone={isRefused ? 'red' : 'amber'}>
      <p className={css.by}>
        <b>{senderLabel('user')}</b>
      </p>
      <p className={css.text}>{text}</p>
      <Attachments files={files} onOpen={onOpen} />
      <p className={css.state} role="status">
        <Icon name={isRefused ? 'warning' : isOnline ? 'clock' : 'offline'} small />
        {isRefused ? t`Not sent: ${refusal}` : pendingText(message, isOnline, now)}
      </p>
      <div className="row">
        <Button onClick={() => onEdit(message)}>{t`Edit`}</Button>
        {isRefused && <Button onClick={() => void sendAgain(message)}>{t`Send again`}</Button>}
        <Button look="plain" onClick={() => void discardMessage(message)}>{t`Remove`}</Button>
      </div>
    </li>
  );
}

/** The messages of a thread, oldest first; those that wait are last. */
export function ThreadMessages(props: {
  thread: ShownThread;
  now: Date;
  onEdit: (message: PendingMessageRow) => void;
}) {
  const { thread, now, onEdit } = props;
  const [opened, setOpened] = useState<SupportAttachment>();
  return (
    <>
      <ol className={css.messages}>
        {thread.messages.map((message) => (
          <SentMessage key={message.id} message={message} now={now} onOpen={setOpened} />
        ))}
        {thread.pending.map((message) => (
          <WaitingMessage key={message.id} message={message} now={now} onOpen={setOpened} onEdit={onEdit} />
        ))}
      </ol>
      {opened && <AttachmentDialog attachment={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
