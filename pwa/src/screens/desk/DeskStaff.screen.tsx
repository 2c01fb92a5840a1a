import { t } from '@lingui/core/macro';
import { StaffListResponse } from '@nivida/contract/desk/audit-log';
import { formatDate } from '@nivida/contract/format';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link } from 'react-router-dom';
import { createDeskQuery, useDeskQuery } from '../../features/desk/data/desk-query.ts';
import { roleLabel } from '../../features/desk/frame/DeskLayout.tsx';
import { DeskList } from '../../features/desk/list/DeskList.tsx';

const PATH = '/desk/staff';

const staff = createDeskQuery(StaffListResponse);

/** `/desk/staff`: who may use the desk. Roles are granted by command on the server only. */
export function DeskStaff() {
  return (
    <DeskList<StaffListResponse['rows'][number]>
      title={pageText(PAGES[PATH]).title}
      path={PATH}
      rows={useDeskQuery(staff, 'staff')}
      idOf={({ id }) => id}
      columns={[
        { title: t`Name`, cell: ({ id, username }) => <Link to={`/desk/people/${id}`}>{username}</Link> },
        { title: t`Role`, cell: ({ role }) => roleLabel(role) },
        { title: t`Since`, cell: ({ grantedAt }) => formatDate(grantedAt) },
        { title: t`Granted by`, cell: ({ grantedBy }) => grantedBy },
        { title: t`Acts`, cell: ({ id }) => <Link to={`/desk/audit?actor=${id}`}>{t`Audit log`}</Link> },
      ]}
      actions={
        <span className="s muted">{t`Roles are granted and revoked by the command "staff" on the server.`}</span>
      }
    />
  );
}
