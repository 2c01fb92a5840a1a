import { t } from '@lingui/core/macro';
import { DeskFirmsResponse, type ListedFirm } from '@nivida/contract/desk/firms';
import { formatCount, formatDate } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { createDeskQuery, useDeskQuery } from '../../features/desk/data/desk-query.ts';
import { DeskFirmPanel } from '../../features/desk/firms/DeskFirmPanel.tsx';
import { DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useAddressQuery, useDeskParam } from '../../features/desk/list/useDeskParam.ts';

const PATH = '/desk/firms';

const firms = createDeskQuery(DeskFirmsResponse);

/** `/desk/firms`: finds a firm; without a search the newest. */
export function DeskFirms() {
  const [find] = useDeskParam('find');
  return (
    <DeskList<ListedFirm>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={useDeskQuery(firms, `firms?${useAddressQuery('find')}`)}
      idOf={({ id }) => id}
      empty={find === '' ? t`No firm yet` : t`No firm found`}
      columns={[
        { title: t`Name`, cell: ({ name }) => name },
        { title: t`Owner`, cell: ({ owner }) => owner },
        { title: t`Members`, cell: ({ memberCount }) => formatCount(memberCount) },
        {
          title: t`Plan`,
          cell: ({ planEndsAt }) => (planEndsAt ? t`until ${{ last: formatDate(planEndsAt) }}` : t`No plan`),
        },
      ]}
      filter={<DeskSearch label={t`Whole name of the firm, or what finds a member among the people`} />}
      detail={(id) => <DeskFirmPanel id={id} />}
    />
  );
}
