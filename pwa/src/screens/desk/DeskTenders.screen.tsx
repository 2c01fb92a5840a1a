import { t } from '@lingui/core/macro';
import type { DeskTenderList } from '@nivida/contract/desk/tenders';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { DeskChoice, DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { fieldLabel, useDeskTenders } from '../../features/desk/tenders/desk-tenders.ts';
import { TenderPanel } from '../../features/desk/tenders/TenderPanel.tsx';
import { Status } from '../../ui/display/Status.tsx';
import { langOf } from '../../ui/words/lang-of.ts';

const PATH = '/desk/tenders';

/** `/desk/tenders`: tenders that the staff has changed or that are looked for, and the stages of the opened one. */
export function DeskTenders() {
  return (
    <DeskList<DeskTenderList['rows'][number]>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={useDeskTenders()}
      idOf={({ id }) => String(id)}
      empty={t`No tender is here`}
      columns={[
        { title: t`Title`, cell: ({ title }) => <span lang={langOf(title)}>{title}</span> },
        { title: t`Portal`, cell: ({ portal, source_id }) => `${portalInfo(portal).name} · ${source_id}` },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: ({ is_hidden, corrected, reports }) => (
            <>
              {reports > 0 && <Status tone="blue" label={t`Reported: ${{ count: reports }}`} />}{' '}
              {is_hidden && <Status tone="red" label={t`Hidden`} />}{' '}
              {corrected.length > 0 && (
                <Status tone="amber" label={t`Corrected by us: ${{ fields: corrected.map(fieldLabel).join(', ') }}`} />
              )}
            </>
          ),
        },
      ]}
      filter={
        <>
          <DeskSearch label={t`Number, portal’s tender ID or words of the title`} />
          <DeskChoice
            label={t`Without a search`}
            name="show"
            options={[['reported', t`Reported by readers`]]}
            all={t`Changed by us`}
          />
        </>
      }
      detail={(id) => <TenderPanel id={id} />}
    />
  );
}
