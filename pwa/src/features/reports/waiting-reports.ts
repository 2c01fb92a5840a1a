/** Reports of mistakes that were made without a connection. They wait in the outbox and are sent once. */
import { t } from '@lingui/core/macro';
import type { TenderReportRequest } from '@nivida/contract/tenders/tender-report';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { addToOutbox, registerOutboxHandler, waitingRequests } from '../../data/outbox/outbox.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';

const OUTBOX_KIND = 'tender-report';

export const reportPath = (tenderId: string): string => `/api/tenders/${tenderId}/reports`;

/** A report in the outbox. */
export interface WaitingReport {
  id: string;
  tenderId: string;
  /** Why the server refused it. Null while it waits. */
  refusal: string | null;
}

/** Puts a report of the current user into the outbox. Throws without storage. */
export async function queueReport(tenderId: string, report: TenderReportRequest): Promise<void> {
  // A signed-in reader gets an answer, so the report needs the session.
  const needs = currentOwner() === '' ? 'nothing' : 'session';
  await addToOutbox({ id: report.id, kind: OUTBOX_KIND, path: reportPath(tenderId), body: report, needs });
}

/** An owner's reports that wait or were refused, oldest first. */
export async function readWaitingReports(db: DeviceDatabase, owner: string): Promise<WaitingReport[]> {
  const rows = await waitingRequests(db, owner, OUTBOX_KIND);
  return rows.map(({ id, path, refusal }) => ({ id, tenderId: path.split('/')[3] ?? '', refusal }));
}

registerOutboxHandler(OUTBOX_KIND, {
  sent: () => showToast({ text: t`Your report of a mistake was sent.` }),
  refused: (_row, reason) => showToast({ text: t`Your report of a mistake was not sent: ${reason}` }),
});
