import { t } from '@lingui/core/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { textInLanguage } from '@nivida/contract/site/status';
import { DeskChoice } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useDeskParam } from '../../features/desk/list/useDeskParam.ts';
import {
  type StatusEntry,
  stateOf,
  useCurrentTime,
  useStatusEntries,
} from '../../features/desk/notices/desk-notices.ts';
import { OpenIncident } from '../../features/desk/notices/IncidentActs.tsx';
import { PublishNotice } from '../../features/desk/notices/PublishNotice.tsx';
import { EntryStatus, StatusEntryPanel, spanText } from '../../features/desk/notices/StatusEntryPanel.tsx';
import { IncidentList } from '../../features/info/status/IncidentList.tsx';
import { SiteNoticeLine } from '../../features/info/status/SiteNoticeBanner.tsx';

const PATH = '/desk/notices';

const textOf = (row: StatusEntry): string => {
  const texts = row.kind === 'notice' ? row.notice.texts : row.incident.updates[0]?.texts;
  return texts ? textInLanguage(texts) : '';
};

/** `/desk/notices`: the line for all users, and incidents for the status page, with past ones. */
export function DeskNotices() {
  const entries = useStatusEntries();
  const now = useCurrentTime();
  const [kind] = useDeskParam('kind');
  const rows = entries.answer?.rows ?? [];
  return (
    <DeskList<StatusEntry>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={{ ...entries, answer: entries.answer && { rows: rows.filter((row) => kind === '' || row.kind === kind) } }}
      idOf={({ id }) => id}
      empty={t`Nothing was published yet`}
      columns={[
        { title: t`Text`, cell: textOf },
        { title: t`Kind`, cell: (row) => (row.kind === 'notice' ? t`Notice` : t`Incident`) },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: (row) => <EntryStatus row={row} state={stateOf(row, now)} />,
        },
        { title: t`Time`, cell: spanText },
      ]}
      filter={
        <DeskChoice
          label={t`Kind`}
          name="kind"
          options={[
            ['notice', t`Notices`],
            ['incident', t`Incidents`],
          ]}
          all={t`All`}
        />
      }
      actions={
        <>
          <PublishNotice line={SiteNoticeLine} />
          <OpenIncident />
        </>
      }
      detail={(id) => {
        const row = rows.find((each) => each.id === id);
        if (row) return <StatusEntryPanel row={row} line={SiteNoticeLine} updates={IncidentList} />;
        return entries.answer && <p>{t`There is no such entry`}</p>;
      }}
    />
  );
}
