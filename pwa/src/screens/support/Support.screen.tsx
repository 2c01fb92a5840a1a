import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useRef } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { useNow } from '../../data/clock.ts';
import { storageProblem } from '../../data/device/database.ts';
import { errorMessage } from '../../data/server/api.ts';
import { SupportTimes } from '../../features/contact/SupportTimes.tsx';
import { MessageForm } from '../../features/support/MessageForm.tsx';
import { beginThread } from '../../features/support/support-actions.ts';
import { ThreadList } from '../../features/support/ThreadList.tsx';
import { useSupport } from '../../features/support/useSupport.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useOnline, useShownLocation } from '../../ui/browser-state.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { RowsSkeleton } from '../../ui/feedback/Skeleton.tsx';
import { DashboardPage } from '../dashboard/DashboardPage.tsx';

/** Maximum characters of a subject that is proposed from a title. */
const MAX_PROPOSED = 150;

/** The form of a new thread. `?tender` and `?order` name what is attached; the link's state has the tender's title. */
function NewThread() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const { state } = useShownLocation();
  const tenderId = params.get('tender');
  const orderId = params.get('order');
  const title: unknown = state?.title;
  const tenderTitle = tenderId !== null && typeof title === 'string' ? title : null;
  useEffect(() => heading.current?.focus(), []);
  const proposed = () => {
    if (orderId !== null) return t`My order ${orderId}`;
    return tenderTitle === null ? '' : t`Tender: ${{ title: tenderTitle.slice(0, MAX_PROPOSED) }}`;
  };
  return (
    <Panel stack aria-labelledby="write">
      <h2 id="write" ref={heading} tabIndex={-1}>
        {t`Write to us`}
      </h2>
      <MessageForm
        threadId={null}
        proposedSubject={proposed()}
        onSend={async ({ subject, ...message }) => {
          const id = await beginThread({ subject, orderId, tenderId, tenderTitle }, message);
          void navigate(`/dashboard/support/${id}`, { replace: true });
        }}
        actions={<Button onClick={() => void navigate('/dashboard/support', { replace: true })}>{t`Cancel`}</Button>}
      >
        {tenderId !== null && (
          <p className="s">
            <Trans>
              Attached: <Link to={`/tenders/${tenderId}`}>{tenderTitle ?? t`Tender ${tenderId}`}</Link>
            </Trans>
          </p>
        )}
        {orderId !== null && (
          <p className="s">
            <Trans>Attached: order {orderId}</Trans>
          </p>
        )}
      </MessageForm>
    </Panel>
  );
}

/** `/dashboard/support`: the user's messages to support and the answers, also without a connection (R67). */
export function Support() {
  const now = useNow();
  const [params] = useSearchParams();
  const isOnline = useOnline();
  const { support, deviceError, error, isReceiving, reload } = useSupport();
  const isWriting = ['write', 'tender', 'order'].some((name) => params.has(name));
  const threads = support?.threads ?? [];
  const isKnown = support?.isReceived || threads.length > 0;
  return (
    <DashboardPage {...pageText(PAGES['/dashboard/support'])}>
      <SupportTimes />
      {deviceError !== undefined && (
        <Note tone="amber" icon="warning" alert>
          <Trans>
            {storageProblem()}, so messages cannot be kept here. <Link to="/contact">Write to us by email</Link>.
          </Trans>
        </Note>
      )}
      {isWriting && <NewThread key={params.toString()} />}
      {!isWriting && isKnown && threads.length > 0 && (
        <div className="row">
          <ButtonLink look="main" to="?write">{t`Write to us`}</ButtonLink>
          <ButtonLink to="/help">{t`How it works, and words of tendering`}</ButtonLink>
        </div>
      )}
      {error !== undefined && (
        <ListError
          text={errorMessage(error, t`Your messages could not be loaded`)}
          offlineText={t`You are offline.`}
          age={null}
          onRetry={reload}
        />
      )}
      {support && !isKnown && error === undefined && !isOnline && (
        <Note tone="amber" icon="offline">
          {t`You are offline. Your earlier messages need a connection the first time.`}
        </Note>
      )}
      {deviceError === undefined && !isKnown && isReceiving && isOnline && (
        <RowsSkeleton label={t`Loading your messages`} title={50} facts={25} />
      )}
      {support && threads.length === 0 && !isWriting && (isKnown || !isReceiving || !isOnline) && (
        <EmptyState
          title={t`No messages yet.`}
          actions={
            <>
              <ButtonLink look="main" to="?write">{t`Write to us`}</ButtonLink>
              <ButtonLink to="/help">{t`How it works, and words of tendering`}</ButtonLink>
            </>
          }
        >
          {t`Ask about a tender, a payment or this app. You find our answer here, also without a connection.`}
        </EmptyState>
      )}
      {threads.length > 0 && <ThreadList threads={threads} now={now} />}
    </DashboardPage>
  );
}
