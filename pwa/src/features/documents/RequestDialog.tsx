import { t } from '@lingui/core/macro';
import { DocumentRequestBody } from '@nivida/contract/orders/documents';
import { useEffect, useState } from 'react';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { readLastEmail } from './requests.ts';

interface RequestDialogProps {
  /** Queues the request with the address. */
  onAsk: (email: string) => void;
  onClose: () => void;
}

/** Asks a signed-out visitor for the e-mail address of a request for documents. */
export function RequestDialog({ onAsk, onClose }: RequestDialogProps) {
  const [lastEmail, setLastEmail] = useState('');
  const form = useForm({ email: lastEmail });
  useEffect(() => void readLastEmail().then(setLastEmail), []);

  const submit = () =>
    form.submit(
      validateForm(DocumentRequestBody, form.values),
      async ({ email }) => email && onAsk(email),
      () => ({ text: '' }),
    );
  return (
    <FormDialog
      title={t`Ask for the documents`}
      submitText={t({ message: 'Ask', context: 'send a request' })}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="s">{t`Free. We look for the documents and write to you once, when they are available here.`}</p>
      <TextField form={form} name="email" label={t`Email`} type="email" inputMode="email" autoComplete="email" />
    </FormDialog>
  );
}
