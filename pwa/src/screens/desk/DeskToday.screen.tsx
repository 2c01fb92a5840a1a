import { plural, t } from '@lingui/core/macro';
import { type TodayEntry, TodayResponse } from '@nivida/contract/desk/today';
import { formatAge } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useNow } from '../../data/clock.ts';
import { createDeskQuery, useDeskQuery } from '../../features/desk/data/desk-query.ts';
import { DeskAnswer } from '../../features/desk/list/DeskAnswer.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Status } from '../../ui/display/Status.tsx';
import { copyText } from '../../ui/feedback/copy-text.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import css from './DeskToday.module.css';

const todayCache = createDeskQuery(TodayResponse);

/** `/desk`: what waits, oldest first, each with its button. */
export function DeskToday() {
  const query = useDeskQuery(todayCache, 'today');
  const now = useNow();
  const text = pageText(PAGES['/desk']);
  return (
    <div className="page stack">
      <PageMeta {...text} />
      <div className={css.head}>
        <h1>{text.title}</h1>
        <Button look="plain" onClick={query.reload}>{t`Refresh`}</Button>
      </div>
      <DeskAnswer query={query} failure={t`The list could not be loaded`}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState title={t`Nothing waits`}>
              <p>{t`New entries appear here.`}</p>
            </EmptyState>
          ) : (
            <ol className={css.entries} aria-label={t`What waits`}>
              {entries.map((entry) => (
                <Waiting key={`${entry.kind} ${entry.subject} ${entry.text}`} entry={entry} now={now} />
              ))}
            </ol>
          )
        }
      </DeskAnswer>
    </div>
  );
}

function Waiting({ entry, now }: { entry: TodayEntry; now: Date }) {
  const { kind, since, isFailure, text, command, section } = entry;
  const to = screenOf(entry);
  return (
    <li>
      <div>
        <h2>{titleOf(entry)}</h2>
        {kind === 'installation' && (
          <p className="s" lang="en">
            {text}
          </p>
        )}
        {kind === 'installation' && !to && (
          <p className="s">
            {command !== null && (
              <>
                {t`On the server:`} <code lang="en">{command}</code> ·{' '}
              </>
            )}
            <span className="muted" lang="en">
              {section}
            </span>
          </p>
        )}
        <p className="facts">
          {isFailure && <Status tone="red" label={t`Does not work`} />}
          {since !== null && <span>{t`oldest: ${{ age: formatAge(new Date(since), now) }}`}</span>}
        </p>
      </div>
      {to ? (
        <ButtonLink to={to}>{buttonOf(entry)}</ButtonLink>
      ) : (
        command !== null && <Button onClick={() => copyText(command)}>{t`Copy the command`}</Button>
      )}
    </li>
  );
}

/** The screen on which it is solved; undefined for what is solved on the server. */
function screenOf({ kind, subject, text }: TodayEntry): string | undefined {
  switch (kind) {
    case 'messages':
      return '/desk/messages';
    case 'orders':
      return '/desk/orders?status=REVIEW';
    case 'approval':
      return text === 'order.refund' ? `/desk/orders/${subject}` : `/desk/people/${subject}`;
    case 'documents':
      return '/desk/documents';
    case 'reports':
      return '/desk/tenders?show=reported';
    case 'corrections':
      return '/desk/tenders';
    case 'installation':
      return subject === 'feeds' ? '/desk/data/feeds' : undefined;
  }
}

function buttonOf({ kind }: TodayEntry): string {
  if (kind === 'messages') return t`Answer`;
  return kind === 'orders' || kind === 'approval' ? t`Decide` : t({ message: 'Open', context: 'row' });
}

function titleOf({ kind, count, text, subject }: TodayEntry): string {
  switch (kind) {
    case 'messages':
      return plural(count, { one: '# message waits for an answer', other: '# messages wait for an answer' });
    case 'orders':
      return plural(count, { one: '# order waits for a decision', other: '# orders wait for a decision' });
    case 'approval':
      return text === 'order.refund'
        ? t`A refund waits for a second person`
        : t`The erasure of an account waits for a second person`;
    case 'documents':
      return plural(count, {
        one: 'Documents of # tender were asked for',
        other: 'Documents of # tenders were asked for',
      });
    case 'reports':
      return plural(count, { one: '# report of a mistake is open', other: '# reports of mistakes are open' });
    case 'corrections':
      return plural(count, {
        one: '# correction has ended: the source has a new value',
        other: '# corrections have ended: the source has new values',
      });
    case 'installation':
      return findingTitle(subject);
  }
}

/** The name of what a finding of `doctor` is about. */
function findingTitle(subject: string): string {
  const labels: Record<string, string> = {
    backup: t`Backups`,
    jobs: t`Recurring jobs`,
    feeds: t`Feeds`,
    packs: t`Offline packs`,
    partitions: t`Storage of notices`,
    mail: t`Mails`,
    push: t`Push notifications`,
    disk: t`Disk space`,
  };
  return labels[subject] ?? subject;
}
