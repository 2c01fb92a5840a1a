import { t } from '@lingui/core/macro';
import { TenderStages } from '@nivida/contract/desk/tenders';
import { formatDateTime } from '@nivida/contract/format';
import { reportKindText } from '@nivida/contract/tenders/tender-report';
import { Status } from '../../../ui/display/Status.tsx';
import { ActButton } from '../act/ActButton.tsx';

/** What readers report of a tender: open reports with their act, and closed ones with the reason. */
export function TenderReports({ tender: { id, reports } }: { tender: TenderStages }) {
  if (reports.length === 0) return null;
  return (
    <ul className="rows" aria-label={t`Reports of mistakes`}>
      {reports.map((report) => {
        const path = `tenders/${id}/reports/${report.id}`;
        const close = { path: `${path}/close` };
        const reopen = { path: `${path}/reopen` };
        return (
          <li key={report.id}>
            <p>
              <Status
                tone={report.closed_at === null ? 'amber' : 'gray'}
                label={report.closed_at === null ? t`Open report` : t`Closed report`}
              />{' '}
              {reportKindText(report.kind)} <span className="s muted">{formatDateTime(report.at)}</span>
            </p>
            {report.text !== '' && <p dir="auto">{report.text}</p>}
            {report.closed_at === null ? (
              <ActButton
                {...close}
                label={t`Close report`}
                title={t`Close this report?`}
                schema={TenderStages}
                usualReasons={[t`Corrected`, t`The portal says the same`, t`Not understood`]}
                done={() => t`The report is closed`}
                undo={() => reopen}
              />
            ) : (
              <p className="s muted">{report.closed_reason}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
