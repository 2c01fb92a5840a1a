import { t } from '@lingui/core/macro';
import { DeskThread, ThreadContactResponse } from '@nivida/contract/desk/messages';
import { formatBytes, formatDateTime, formatRupees } from '@nivida/contract/format';
import type { ThreadState } from '@nivida/contract/support/threads';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { failureText } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Status } from '../../../ui/display/Status.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { DeskAnswer } from '../list/DeskAnswer.tsx';
import { AnswerBox } from './AnswerBox.tsx';
import { saveAttachment, useDeskThread } from './desk-threads.ts';
import css from './ThreadPanel.module.css';

/** The state of a thread as the desk sees it. */
export function ThreadStatus({ state }: { state: ThreadState }) {
  const tone = { waiting: 'amber', answered: 'green', closed: 'gray' } as const;
  const label = { waiting: t`Waiting`, answered: t`Answered`, closed: t`Closed` };
  return <Status tone={tone[state]} label={label[state]} />;
}

const at = (instant: string): string => formatDateTime(new Date(instant));

/** The side panel of a thread: who wrote, about what, the messages, and the answer. */
export function ThreadPanel({ id }: { id: string }) {
  return (
    <DeskAnswer query={useDeskThread(id)} failure={t`The conversation could not be loaded`}>
      {(thread) => <Conversation thread={thread} />}
    </DeskAnswer>
  );
}

function Conversation({ thread }: { thread: DeskThread }) {
  const { id, version, state } = thread;
  const act = { body: { version }, schema: DeskThread };
  return (
    <>
      <h2>{thread.subject}</h2>
      <ThreadFacts thread={thread} />
      {thread.answeringBy !== null && <Note icon="user">{t`Being answered by ${{ name: thread.answeringBy }}`}</Note>}
      <ol className={css.messages} aria-label={t`Messages`}>
        {thread.messages.map((message) => (
          <li key={message.id} className={css.message} data-sender={message.sender}>
            <p className="s muted">
              {message.sender === 'user' ? thread.name : (message.staffName ?? 'Nivida')} · {at(message.createdAt)}
              {message.readAt !== null && ` · ${t`read`}`}
            </p>
            <p className={css.text} dir="auto">
              {message.text}
            </p>
            {message.attachments.map((file) => (
              <AttachmentButton key={file.id} thread={id} file={file} />
            ))}
          </li>
        ))}
      </ol>
      <AnswerBox thread={thread} />
      <div className="row">
        {state === 'closed' ? (
          <ActButton
            {...act}
            label={t`Open again`}
            title={t`Open this conversation again?`}
            path={`messages/${id}/reopen`}
            done={() => t`Open again`}
          />
        ) : (
          <ActButton
            {...act}
            label={t`Close conversation`}
            title={t`Close this conversation?`}
            path={`messages/${id}/close`}
            usualReasons={[t`Answered`, t`No answer needed`, t`Advertising`]}
            done={() => t`Closed`}
            undo={(closed) => ({ path: `messages/${id}/reopen`, body: { version: closed.version } })}
          />
        )}
      </div>
    </>
  );
}

/** Who wrote, masked until it is opened, and the order or tender that is attached. */
function ThreadFacts({ thread }: { thread: DeskThread }) {
  const { id, name, company, isVisitor, email, mobile, order, tender } = thread;
  const [contact, setContact] = useState<ThreadContactResponse>();
  return (
    <div className="stack">
      <p>
        <ThreadStatus state={thread.state} /> {[name, company].filter(Boolean).join(', ')}
        {isVisitor && ` · ${t`visitor without an account`}`}
      </p>
      <p className="s">{[contact?.email ?? email, contact?.mobile ?? mobile].filter(Boolean).join(' · ')}</p>
      {!contact && (
        <div className="row">
          <ActButton
            label={t`Show address and number`}
            title={t`Show the address and number of ${name}?`}
            path={`messages/${id}/contact`}
            schema={ThreadContactResponse}
            done={() => t`Shown`}
            onDone={setContact}
          />
        </div>
      )}
      {order && (
        <p className="s">
          {t`Order`}: {order.title}, {formatRupees(order.amountPaise / 100)}, {order.status}, {at(order.createdAt)} ·{' '}
          <Link to={`/desk/orders/${order.id}`}>{order.id}</Link>
        </p>
      )}
      {tender && (
        <p className="s">
          {t`Tender`}:{' '}
          <Link to={`/tenders/${tender.id}`} lang="en">
            {tender.title}
          </Link>{' '}
          <span className="muted">{tender.sourceId}</span>
        </p>
      )}
    </div>
  );
}

/** A button that saves a file of a message. */
function AttachmentButton({
  thread,
  file,
}: {
  thread: string;
  file: DeskThread['messages'][number]['attachments'][number];
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function save(): Promise<void> {
    setIsBusy(true);
    setFailure(undefined);
    await saveAttachment(thread, file).catch((error) =>
      setFailure(failureText(error, t`The file could not be loaded`)),
    );
    setIsBusy(false);
  }
  return (
    <>
      <Button busy={isBusy} onClick={() => void save()}>
        {file.name} ({formatBytes(file.bytes)})
      </Button>
      <ErrorText text={failure} />
    </>
  );
}
