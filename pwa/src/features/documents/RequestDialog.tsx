import { DocumentRequestBody } from '@nivida/contract/orders/documents';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
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

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(
      validateForm(DocumentRequestBody, form.values),
      async ({ email }) => email && onAsk(email),
      () => ({ text: '' }),
    );
  };
  return (
    <Dialog title="Ask for the documents" onClose={onClose} isForm>
      <form className="stack" ref={form.ref} onSubmit={submit} noValidate>
        <p className="s">Free. We look for the documents and write to you once, when they are available here.</p>
        <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main">
            Ask
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
