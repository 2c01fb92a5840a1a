import type { FormEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { addOwnBid } from './bid-actions.ts';
import { OwnBidForm } from './bid-forms.ts';

class NotSavedError extends Error {}

/** Adds a bid on a work that is not in Nivida. */
export function OwnBidDialog({ onAdded, onClose }: { onAdded: (id: string) => void; onClose: () => void }) {
  const form = useForm({ title: '', organisation: '', closingAt: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit(
      validateForm(OwnBidForm, form.values),
      async ({ title, organisation, closingAt }) => {
        const id = await addOwnBid({
          title,
          organisation: organisation ?? undefined,
          closingAt: closingAt ?? undefined,
        });
        // a toast has said why
        if (id === null) throw new NotSavedError();
        onAdded(id);
      },
      () => ({ text: '' }),
    );
  };
  return (
    <Dialog title="Add a bid by hand" onClose={onClose} isForm>
      <form ref={form.ref} className="stack" noValidate onSubmit={submit}>
        <TextField form={form} name="title" label="Name of the work" autoComplete="off" />
        <TextField form={form} name="organisation" label="Office" hint="optional" autoComplete="off" />
        <TextField form={form} name="closingAt" label="Closes, Indian time" hint="optional" type="datetime-local" />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" type="submit" busy={form.isBusy}>
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
