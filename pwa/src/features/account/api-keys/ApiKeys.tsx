import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type ApiKey, MAX_API_KEYS } from '@nivida/contract/data-out/api-keys';
import { formatAge, formatCount, formatDate } from '@nivida/contract/format';
import { DAY_SECONDS } from '@nivida/contract/time';
import { useEffect, useState } from 'react';
import { useNow } from '../../../data/clock.ts';
import { errorMessage } from '../../../data/server/api.ts';
import { useQuery } from '../../../data/server/query-cache.ts';
import { Button } from '../../../ui/Button.tsx';
import { Panel } from '../../../ui/display/Panel.tsx';
import { ListError } from '../../../ui/feedback/ListError.tsx';
import { RowsSkeleton } from '../../../ui/feedback/Skeleton.tsx';
import rows from '../Sessions.module.css';
import { AddKeyDialog, RevokeKeyDialog, ShownKeyDialog } from './ApiKeyDialogs.tsx';
import { apiKeyCache } from './api-keys.ts';

type Step = { kind: 'add' } | { kind: 'shown'; key: string } | { kind: 'revoke'; key: ApiKey };

/** The user's keys for programs that read public data. */
export function ApiKeys({ userId }: { userId: string }) {
  const { answer, isLoading, error, receivedAt, reload } = useQuery(apiKeyCache, userId);
  useEffect(() => void apiKeyCache.refresh(userId), [userId]);
  const now = useNow();
  const [step, setStep] = useState<Step>();
  const keys = answer?.keys ?? [];
  const close = () => setStep(undefined);
  return (
    <Panel stack aria-labelledby="api-keys">
      <h2 id="api-keys">{t`Keys for programs`}</h2>
      <p className="s muted">
        <Trans>
          With a key a program of yours reads public data more often than without one: lists, feeds, awards and OCDS. A
          key reads nothing of your account.
        </Trans>
      </p>
      {isLoading && <RowsSkeleton label={t`Loading your keys`} title={15} facts={30} />}
      {error !== undefined && (
        <ListError
          text={errorMessage(error, t`Failed to load your keys`)}
          offlineText={t`You are offline. The list needs a connection.`}
          age={receivedAt && formatAge(receivedAt, now)}
          onRetry={reload}
        />
      )}
      {answer && keys.length === 0 && <p className="s muted">{t`You have no key.`}</p>}
      {keys.length > 0 && (
        <ul className="rows">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} now={now} onRevoke={() => setStep({ kind: 'revoke', key })} />
          ))}
        </ul>
      )}
      {keys.length < MAX_API_KEYS && (
        <div className={rows.end}>
          <Button aria-haspopup="dialog" onClick={() => setStep({ kind: 'add' })}>
            {t`Make a key`}
          </Button>
        </div>
      )}
      {keys.length > 0 && <p className="xs muted">{t`If others may have seen a key, revoke it and make a new one.`}</p>}
      {step?.kind === 'add' && (
        <AddKeyDialog userId={userId} onClose={close} onMade={(key) => setStep({ kind: 'shown', key })} />
      )}
      {step?.kind === 'shown' && <ShownKeyDialog apiKey={step.key} onClose={close} />}
      {step?.kind === 'revoke' && <RevokeKeyDialog userId={userId} apiKey={step.key} onClose={close} />}
    </Panel>
  );
}

function KeyRow({ apiKey, now, onRevoke }: { apiKey: ApiKey; now: Date; onRevoke: () => void }) {
  const { name, hint, createdAt, usedAt, use } = apiKey;
  const day = use.find(({ seconds }) => seconds === DAY_SECONDS);
  const last = usedAt ? t`last used ${{ age: formatAge(new Date(usedAt), now) }}` : t`never used`;
  return (
    <li>
      <div className={rows.row}>
        <div>
          <p>
            <b>{name}</b> <code>{hint}…</code>
          </p>
          <p className="xs muted">
            {t`Made on ${{ day: formatDate(createdAt) }}`} · {last}
          </p>
          {day && (
            <p className="xs muted">
              {plural(day.calls, { one: '# call', other: '# calls' })}{' '}
              {t`of ${{ limit: formatCount(day.limit) }} in 24 hours`}
            </p>
          )}
        </div>
        <Button aria-haspopup="dialog" onClick={onRevoke}>
          <Trans>
            Revoke<span className="sr"> {name}</span>
          </Trans>
        </Button>
      </div>
    </li>
  );
}
