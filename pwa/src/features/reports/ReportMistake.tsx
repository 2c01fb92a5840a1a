import { t } from '@lingui/core/macro';
import {
  REPORT_KINDS,
  reportKindText,
  TenderReportForm,
  TenderReportResponse,
} from '@nivida/contract/tenders/tender-report';
import { useState } from 'react';
import { api, assertOnline, formFailure } from '../../data/server/api.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { SelectField, TextAreaField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';

/** A quiet line on a tender's page that opens the form of a report. */
export function ReportMistake({ tenderId }: { tenderId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="s">
      <Button look="link" onClick={() => setIsOpen(true)}>
        {t`Report a mistake`}
      </Button>
      {isOpen && <ReportDialog tenderId={tenderId} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

/** Sends a report, which needs a connection and no account. Sent again after a lost answer, it is stored once. */
function ReportDialog({ tenderId, onClose }: { tenderId: string; onClose: () => void }) {
  const form = useForm<Record<'kind' | 'text', string>>({ kind: '', text: '' });
  const [id] = useState(() => crypto.randomUUID());
  const submit = () =>
    form.submit(
      validateForm(TenderReportForm, form.values),
      async (report) => {
        assertOnline();
        await api.post(`api/tenders/${tenderId}/reports`, { json: { ...report, id } }).json(TenderReportResponse);
        showToast({ text: t`Thank you. We will check it.` });
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
    </FormDialog>
  );
}
