import { t } from '@lingui/core/macro';
import type { DeskThreadSummary } from '@nivida/contract/desk/messages';
import { formatAge } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { answerTimeText } from '@nivida/contract/support/answer-time';
import { useNow } from '../../data/clock.ts';
import { DeskChoice, DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useDeskParam } from '../../features/desk/list/useDeskParam.ts';
import { useDeskThreads } from '../../features/desk/messages/desk-threads.ts';
import { ThreadPanel, ThreadStatus } from '../../features/desk/messages/ThreadPanel.tsx';

const PATH = '/desk/messages';

/** `/desk/messages`: messages of users and visitors, and the opened one beside them. */
export function DeskMessages() {
  const threads = useDeskThreads();
  const now = useNow();
  const [page] = useDeskParam('page');
  const { answer } = threads;
  const pages = Number(page || 1) + (answer?.more ? 1 : 0);
  const rows = { ...threads, answer: answer && { rows: answer.threads, pages } };
  const { waiting = 0, answered = 0 } = answer?.counts ?? {};
  return (
    <DeskList<DeskThreadSummary>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={rows}
      idOf={({ id }) => id}
      empty={t`No message waits`}
      columns={[
        { title: t`Subject`, cell: ({ subject }) => subject },
        {
          title: t({ message: 'From', context: 'sender' }),
          cell: ({ name, isVisitor }) => (isVisitor ? `${name} (${t`visitor`})` : name),
        },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: ({ state, hasPriority }) => (
            <>
              <ThreadStatus state={state} />
              {hasPriority && ` ${t`Priority`}`}
            </>
          ),
        },
        {
          title: t`Since`,
          cell: ({ waitingSince, updatedAt, answeringBy }) =>
            [formatAge(new Date(waitingSince ?? updatedAt), now), answeringBy && t`${answeringBy} is writing`]
              .filter(Boolean)
              .join(' · '),
        },
      ]}
      filter={
        <>
          <DeskSearch label={t`Words, e-mail, mobile number or order`} />
          <DeskChoice
            label={t({ message: 'State', context: 'progress' })}
            name="state"
            options={[
              ['answered', t`Answered`],
              ['closed', t`Closed`],
              ['all', t`All`],
            ]}
            all={t`Waiting`}
          />
        </>
      }
      actions={
        answer && (
          <span className="s muted">
            {t`${waiting} waiting, ${answered} answered`}
            {answer.answerHours !== null && ` · ${answerTimeText(answer.answerHours)}`}
          </span>
        )
      }
      detail={(id) => <ThreadPanel id={id} />}
    />
  );
}
