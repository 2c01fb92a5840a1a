import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SessionSummary } from '@nivida/contract/account/auth';
import { formatAge, formatDateTime } from '@nivida/contract/format';
import { useNow } from '../../data/clock.ts';
import { deviceLabel } from '../../data/device/device-info.ts';
import { errorMessage } from '../../data/server/api.ts';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { ListError } from '../../ui/feedback/ListError.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { RowsSkeleton } from '../../ui/feedback/Skeleton.tsx';
import css from './Sessions.module.css';
import { revokeOtherSessions, revokeSession, useSessions } from './sessions.ts';

function SessionRow({ session, userId, now }: { session: SessionSummary; userId: string; now: Date }) {
  const action = useMutation(t`Failed to sign out the device`);
  const name = deviceLabel(session.userAgent);
  return (
    <li>
      <div className={css.row}>
        <div>
          <p>
            <b>{name}</b> {session.isCurrent && <Badge tone="blue">{t`This device`}</Badge>}
          </p>
          <p className="xs muted">
            {t`Signed in ${{ at: formatDateTime(session.signedInAt) }}`}
            {!session.isCurrent && ` · ${t`last used ${{ age: formatAge(new Date(session.lastUsedAt), now) }}`}`}
          </p>
        </div>
        {!session.isCurrent && (
          <Button busy={action.isBusy} onClick={() => void action.run(() => revokeSession(userId, session.id))}>
            <Trans>
              Sign out<span className="sr"> {name}</span>
            </Trans>
          </Button>
        )}
      </div>
      <ErrorText text={action.problem} />
    </li>
  );
}

/** The devices on which the user is signed in; each can be signed out here. */
export function Sessions({ userId }: { userId: string }) {
  const { answer, isLoading, error, receivedAt, reload } = useSessions(userId);
  const now = useNow();
  const signOutOthers = useMutation(t`Failed to sign out the device`);
  const sessions = answer?.sessions ?? [];
  const isAlone = answer !== undefined && !sessions.some(({ isCurrent }) => !isCurrent);
  return (
    <Panel stack aria-labelledby="sessions">
      <h2 id="sessions">{t`Where you are signed in`}</h2>
      {isLoading && <RowsSkeleton label={t`Loading your sessions`} title={15} facts={30} />}
      {error !== undefined && (
        <ListError
          text={errorMessage(error, t`Failed to load your sessions`)}
          offlineText={t`You are offline. The list needs a connection.`}
          age={receivedAt && formatAge(receivedAt, now)}
          onRetry={reload}
        />
      )}
      {sessions.length > 0 && (
        <ul className="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} userId={userId} now={now} />
          ))}
        </ul>
      )}
      {isAlone && <p className="s muted">{t`No other device is signed in.`}</p>}
      {answer && !isAlone && (
        <div className={css.end}>
          <Button busy={signOutOthers.isBusy} onClick={() => void signOutOthers.run(() => revokeOtherSessions(userId))}>
            {t`Sign out all other devices`}
          </Button>
        </div>
      )}
      <ErrorText text={signOutOthers.problem} />
    </Panel>
  );
}
