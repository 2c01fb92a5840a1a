import { t } from '@lingui/core/macro';
import { toTypedInstant } from '../../data/typed-values.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { saveOwnBid } from './bid-actions.ts';
import { OwnBidForm } from './bid-forms.ts';
import type { Bid } from './rules/bid.ts';

interface OwnBidDialogProps {
  /** The entry to change. Absent for a new one. */
  bid?: Bid;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Adds or changes a bid on a work that is not in Nivida. */
export function OwnBidDialog({ bid, onSaved, onClose }: OwnBidDialogProps) {
  const form = useForm({
    title: bid?.title ?? '',
    organisation: bid?.organisation ?? '',
    closingAt: toTypedInstant(bid?.closingAt),
  });
  const submit = () =>
    form.submit(
      validateForm(OwnBidForm, form.values),
      async (entry) => {
        const id = await saveOwnBid(bid?.id ?? null, entry);
        // Otherwise a toast has said why.
        if (id !== null) onSaved(id);
      },
      () => ({ text: '' }),
    );
  return (
    <FormDialog
      title={bid ? t`Change this bid` : t`Add a bid by hand`}
      submitText={bid ? t`Save` : t`Add`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField form={form} name="title" label={t`Name of the work`} autoComplete="off" />
      <TextField form={form} name="organisation" label={t`Office`} hint={t`optional`} autoComplete="off" />
      <TextField form={form} name="closingAt" label={t`Closes, Indian time`} hint={t`optional`} type="datetime-local" />
    </FormDialog>
  );
}
