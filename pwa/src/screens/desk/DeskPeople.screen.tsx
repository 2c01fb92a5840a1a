import { t } from '@lingui/core/macro';
import { type ListedPerson, PeopleResponse } from '@nivida/contract/desk/people';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { createDeskQuery, useDeskQuery } from '../../features/desk/data/desk-query.ts';
import { DeskSearch } from '../../features/desk/list/DeskFilter.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';
import { useAddressQuery, useDeskParam } from '../../features/desk/list/useDeskParam.ts';
import { AccountStatus, PersonPanel } from '../../features/desk/people/PersonPanel.tsx';

const PATH = '/desk/people';

const people = createDeskQuery(PeopleResponse);

/** `/desk/people`: finds an account; without a search the accounts that are to be erased. */
export function DeskPeople() {
  const [find] = useDeskParam('find');
  return (
    <DeskList<ListedPerson>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={useDeskQuery(people, `people?${useAddressQuery('find')}`)}
      idOf={({ id }) => id}
      empty={find === '' ? t`No account waits to be erased` : t`No account found`}
      columns={[
        { title: t`Name`, cell: ({ username }) => username },
        { title: t`Firm`, cell: ({ companyName }) => companyName },
        { title: t`Contact`, cell: ({ email, mobileNo }) => [email, mobileNo].filter(Boolean).join(' · ') },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: ({ status }) => <AccountStatus status={status} />,
        },
      ]}
      filter={<DeskSearch label={t`Whole e-mail, mobile number, id, or name of a person or firm`} />}
      actions={find === '' && <span className="s muted">{t`Accounts that are to be erased`}</span>}
      detail={(id) => <PersonPanel id={id} />}
    />
  );
}
