import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import type { PendingMessageRow } from '../../data/device/schema.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useOwner } from '../../data/session.ts';
import type { ShownThread } from '../../data/support/support-rows.ts';
import { threadLabel } from '../../features/support/labels.ts';
import { MessageForm } from '../../features/support/MessageForm.tsx';
import css from '../../features/support/support.module.css';
import { closeOwnThread, markAnswersRead, sendReply, takeBack } from '../../features/support/support-actions.ts';
import { returnToDraft } from '../../features/support/support-draft.ts';
import { ThreadMessages } from '../../features/support/ThreadMessages.tsx';
import { useSupport } from '../../features/support/useSupport.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { Spinner } from '../../ui/feedback/Spinner.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import dashboard from '../dashboard/DashboardPage.module.css';

/** The tender or the order that the user has attached. */
function AttachedThings({ thread: { tenderId, tenderTitle, orderId } }: { thread: ShownThread }) {
  return (
    <>
      {tenderId !== null && (
        <p className="s">
          <Trans>
            About: <Link to={`/tenders/${tenderId}`}>{tenderTitle ?? t`Tender ${tenderId}`}</Link>
          </Trans>
        </p>
      )}
      {orderId !== null && (
        <p className="s">
          <Trans>
            About: <Link to="/dashboard/payments">order {orderId}</Link>
          </Trans>
        </p>
      )}
    </>
  );
}

function Conversation({ thread, now }: { thread: ShownThread; now: Date }) {
  const { id, subject, state, unread, isNew } = thread;
  const owner = useOwner();
  const navigate = useNavigate();
  const reply = useRef<HTMLDivElement>(null);
  // The form reads the draft when it appears.
  const [edits, setEdits] = useState(0);
  useEffect(() => {
    if (unread === 0) return;
    const mark = () => document.visibilityState === 'visible' && void markAnswersRead(id);
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [id, unread]);
  useEffect(() => {
    if (edits > 0) reply.current?.querySelector('textarea')?.focus();
  }, [edits]);

  async function edit(message: PendingMessageRow) {
    if (!(await takeBack(message))) return;
    const { text, files, thread: begun } = message;
    const typed = begun ? { text, subject: begun.subject } : { text };
    returnToDraft(owner, begun ? null : id, { typed, files });
    if (!begun) return setEdits((count) => count + 1);
    const about = { ...(begun.tenderId && { tender: begun.tenderId }), ...(begun.orderId && { order: begun.orderId }) };
    const query = new URLSearchParams({ write: '', ...about });
    void navigate(`/dashboard/support?${query}`, { replace: true, state: { title: begun.tenderTitle } });
  }

  const { label, tone } = threadLabel(thread);
  return (
    <>
      <div className={css.top}>
        <h1>{subject}</h1>
        <p>
          <StatusStamp tone={tone} label={label} />
        </p>
        <AttachedThings thread={thread} />
      </div>
      <ThreadMessages thread={thread} now={now} onEdit={(message) => void edit(message)} />
      {isNew ? (
        <p className="s muted">{t`You can add to it once this message is sent.`}</p>
      ) : (
        <Panel stack aria-labelledby="reply">
          <h2 id="reply">{state === 'closed' ? t`Still a question?` : t`Write back`}</h2>
          {state === 'closed' && (
            <p className="s muted">{t`This conversation is closed. A new message opens it again.`}</p>
          )}
          <div ref={reply}>
            <MessageForm
              key={edits}
              threadId={id}
              onSend={(message) => sendReply(id, message)}
              actions={
                state !== 'closed' && (
                  <Button look="plain" onClick={() => void closeOwnThread(id)}>
                    {t`My question is solved`}
                  </Button>
                )
              }
            />
          </div>
        </Panel>
      )}
    </>
  );
}

/** `/dashboard/support/:id`: one thread with support. */
export function SupportConversation() {
  const { id = '' } = useParams();
  const now = useNow();
  const isOnline = useOnline();
  const { support, deviceError, error, isReceiving, reload } = useSupport();
  const thread = support?.threads.find((each) => each.id === id);
  const isLoading = deviceError === undefined && !thread && (!support || (isReceiving && isOnline));
  const page = pageText(PAGES['/dashboard/support/:id']);
  return (
    <div className="page">
      <PageMeta title={thread?.subject ?? page.title} description={page.description} />
      <div className={`${dashboard.column} stack`}>
        <p>
          <Link to="/dashboard/support">{t`All my messages`}</Link>
        </p>
        {deviceError !== undefined && (
          <Note tone="amber" icon="warning" alert>
            {t`${storageProblem()}, so messages cannot be shown.`}
          </Note>
        )}
        {isLoading && <Spinner label={t`Loading your messages`} isScreen />}
        {support && !thread && !isLoading && (
          <EmptyState
            title={t`This conversation is not on this phone`}
            heading="h1"
            actions={
              <>
                {(error !== undefined || !isOnline) && <Button onClick={reload}>{t`Try Again`}</Button>}
                <ButtonLink to="/dashboard/support">{t`All my messages`}</ButtonLink>
              </>
            }
          >
            {isOnline
              ? error === undefined
                ? t`It was removed, or it belongs to another account.`
                : errorMessage(error, t`Your messages could not be loaded`)
              : t`You are offline. It opens here when there is a connection.`}
          </EmptyState>
        )}
        {thread && <Conversation key={id} thread={thread} now={now} />}
      </div>
    </div>
  );
}
