import { t } from '@lingui/core/macro';
import { ChangedKey, type DeskKey } from '@nivida/contract/desk/data-in';
import { formatDateTime } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { ActButton } from '../../features/desk/act/ActButton.tsx';
import { DataTabs } from '../../features/desk/data-in/DataTabs.tsx';
import { useDeskKeys } from '../../features/desk/data-in/data-calls.ts';
import { NewKey } from '../../features/desk/data-in/NewKey.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';

const PATH = '/desk/data/keys';
const at = (instant: string) => formatDateTime(new Date(instant));

/** `/desk/data/keys`: keys of programs and bookmarks that send files. */
export function DeskKeys() {
  return (
    <DeskList<DeskKey>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      intro={<DataTabs />}
      rows={useDeskKeys()}
      idOf={({ id }) => id}
      empty={t`No key was made yet`}
      actions={<NewKey />}
      columns={[
        { title: t`Name`, cell: ({ name }) => name },
        {
          title: t`Sends`,
          cell: ({ portal, lists_only }) =>
            [portal ?? t`any portal`, lists_only && t`lists only`].filter(Boolean).join(', '),
        },
        { title: t`Made`, cell: ({ created_at, created_by }) => `${at(created_at)} · ${created_by}` },
        { title: t`Last used`, cell: ({ used_at }) => (used_at === null ? t`never` : at(used_at)) },
        {
          title: t({ message: 'State', context: 'progress' }),
          cell: ({ id, name, revoked_at }) =>
            revoked_at === null ? (
              <ActButton
                label={t`End the key`}
                title={t`End the key ${name}? What uses it sends nothing any more.`}
                path={`data/keys/${id}/end`}
                schema={ChangedKey}
                done={() => t`The key is ended`}
              />
            ) : (
              t`Ended ${{ at: at(revoked_at) }}`
            ),
        },
      ]}
    />
  );
}
