import { DocumentRequestBody } from '@nivida/contract/orders/documents';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { safeParse } from 'valibot';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Field, Input } from '../../ui/form/Field.tsx';
import { readLastEmail } from './requests.ts';

interface RequestDialogProps {
  /** Queues the request with the address. */
  onAsk: (email: string) => void;
  onClose: () => void;
}

/** Asks a signed-out visitor for the e-mail address of a request for documents. */
export function RequestDialog({ onAsk, onClose }: RequestDialogProps) {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const input = useRef<HTMLFormElement>(null);
  useEffect(() => void readLastEmail().then((lastEmailUsed) => setEmail((typed) => typed || lastEmailUsed)), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { success, output, issues } = safeParse(DocumentRequestBody, { email });
    if (success && output.email) return onAsk(output.email);
    setError(issues?.[0].message);
    input.current?.querySelector('input')?.focus();
  };
  return (
    <Dialog title="Ask for the documents" onClose={onClose} isForm>
      <form className="stack" ref={input} onSubmit={submit} noValidate>
        <p className="s">Free. We look for the documents and write to you once, when they can be had here.</p>
        <Field label="Email" error={error}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              inputMode="email"
              autoComplete="email"
              value={email}
              onChange={(event) => {
                setEmail(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
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
