import { t } from '@lingui/core/macro';
import type { DeskPortalList } from '@nivida/contract/desk/data-in';
import { formatAge, formatCount } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { useNow } from '../../data/clock.ts';
import { DataTabs } from '../../features/desk/data-in/DataTabs.tsx';
import { useDeskPortals } from '../../features/desk/data-in/data-calls.ts';
import { DeskList } from '../../features/desk/list/DeskList.tsx';

const PATH = '/desk/data/portals';

/** The share of rejected rows as a percentage with one decimal. */
const share = (rejected: number, rows: number) => `${((100 * rejected) / Math.max(1, rows)).toFixed(1)} %`;

/** `/desk/data/portals`: the sources compared. */
export function DeskPortals() {
  const now = useNow();
  const age = (instant: string | null, never = t`never`) =>
    instant === null ? never : formatAge(new Date(instant), now);
  return (
    <DeskList<DeskPortalList['rows'][number]>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      intro={<DataTabs />}
      rows={useDeskPortals()}
      idOf={({ portal }) => portal}
      empty={t`No portal was imported yet`}
      columns={[
        {
          title: t`Portal`,
          cell: ({ portal }) => {
            const { name } = portalInfo(portal);
            return name === portal ? portal : `${name} (${portal})`;
          },
        },
        { title: t`Last import`, cell: ({ imported_at }) => age(imported_at, t`only for a demonstration`) },
        { title: t`Newest tender`, cell: ({ published_at }) => age(published_at) },
        { title: t`Tenders`, isNumber: true, cell: ({ tenders }) => formatCount(tenders) },
        { title: t`Open`, isNumber: true, cell: ({ open }) => formatCount(open) },
        {
          title: t`Rows of the last import`,
          isNumber: true,
          cell: ({ rows }) => (rows === null ? t`not counted` : formatCount(rows)),
        },
        {
          title: t`Rejected in the last import`,
          isNumber: true,
          cell: ({ rows, rejected }) => (rows === null || rejected === null ? '' : share(rejected, rows)),
        },
        {
          title: t`Mapping`,
          cell: ({ mapping_version }) => (mapping_version === null ? '' : t`version ${mapping_version}`),
        },
      ]}
    />
  );
}
