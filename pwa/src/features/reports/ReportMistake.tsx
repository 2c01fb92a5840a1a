import { t } from '@lingui/core/macro';
import {
  REPORT_KINDS,
  reportKindText,
  TenderReportForm,
  type TenderReportRequest,
  TenderReportResponse,
} from '@nivida/contract/tenders/tender-report';
import { useState } from 'react';
import { useLiveRows } from '../../data/device/live-query.ts';
import { api, formFailure, isConnectionError } from '../../data/server/api.ts';
import { useOwner } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Note } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { SelectField, TextAreaField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import type { WaitingReport } from './waiting-reports.ts';

const loadWaiting = async () => (await import('./waiting-reports.ts')).readWaitingReports;

/** A quiet line on a tender's page that opens the form of a report, with the reports that wait for a connection. */
export function ReportMistake({ tenderId }: { tenderId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const waiting = (useLiveRows(loadWaiting).rows ?? []).filter((report) => report.tenderId === tenderId);
  return (
    <div className="s stack">
      {waiting.map((report) => (
        <WaitingReportNote key={report.id} report={report} />
      ))}
      <p>
        <Button look="link" onClick={() => setIsOpen(true)}>
          {t`Report a mistake`}
        </Button>
      </p>
      {isOpen && <ReportDialog tenderId={tenderId} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function WaitingReportNote({ report: { id, refusal } }: { report: WaitingReport }) {
  const isOnline = useOnline();
  async function remove(): Promise<void> {
    try {
      const { removeFromOutbox } = await import('../../data/outbox/outbox.ts');
      await removeFromOutbox(id);
    } catch {
      showToast({ text: t`The report could not be removed. Please try again.` });
    }
  }
  const waits = isOnline
    ? t`Your report of a mistake is not sent yet. Nivida will try again.`
    : t`Your report of a mistake waits for a connection.`;
  return (
    <Note tone={refusal === null ? 'amber' : 'red'} icon={refusal === null ? 'offline' : 'warning'}>
      <p role="status">{refusal === null ? waits : t`Your report of a mistake was not sent: ${refusal}`}</p>
      <div className="row">
        <Button aria-label={t`Remove the report`} onClick={() => void remove()}>
          {t`Remove`}
        </Button>
      </div>
    </Note>
  );
}

/** A button that reports a wrong line of a document. `line` names it: its file, page and text. */
export function ReportLine({ tenderId, line }: { tenderId: string; line: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="link" onClick={() => setIsOpen(true)}>
        {t`This line is wrong`}
      </Button>
      {isOpen && <ReportDialog tenderId={tenderId} line={line} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Sends a report, which needs no account. Without a connection it waits in the outbox. Sent twice, it is stored once. */
function ReportDialog({ tenderId, line, onClose }: { tenderId: string; line?: string; onClose: () => void }) {
  const form = useForm<Record<'kind' | 'text', string>>(
    line === undefined ? { kind: '', text: '' } : { kind: 'other', text: `${line}\n` },
  );
  const [id] = useState(() => crypto.randomUUID());
  const isSignedIn = useOwner() !== '';
  async function send(report: TenderReportRequest): Promise<void> {
    if (navigator.onLine)
      try {
        await api.post(`api/tenders/${tenderId}/reports`, { json: report }).json(TenderReportResponse);
        return showToast({ text: t`Thank you. We will check it.` });
      } catch (error) {
        if (!isConnectionError(error)) throw error;
      }
    const { queueReport } = await import('./waiting-reports.ts');
    await queueReport(tenderId, report);
    showToast({ text: t`Your report waits for a connection. Then it is sent by itself.` });
  }
  const submit = () =>
    form.submit(
      validateForm(TenderReportForm, form.values),
      async (report) => {
        await send({ ...report, id });
        onClose();
      },
      (error) => formFailure(error, t`The report could not be sent`, form.values),
    );
  return (
    <FormDialog title={t`Report a mistake`} submitText={t`Send report`} form={form} onSubmit={submit} onClose={onClose}>
      <SelectField
        form={form}
        name="kind"
        label={t`What is wrong?`}
        empty={t`Choose`}
        options={REPORT_KINDS.map((kind) => [kind, reportKindText(kind)] as const)}
      />
      <TextAreaField
        form={form}
        name="text"
        label={t`What is right?`}
        hint={t`if you know it; no names or numbers of people`}
        rows={3}
      />
      <p className="s muted">
        {isSignedIn
          ? t`When we have checked it, you get our answer in the app.`
          : t`If you sign in first, you get our answer in the app.`}
      </p>
    </FormDialog>
  );
}
