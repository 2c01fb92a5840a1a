import { t } from '@lingui/core/macro';
import { type Firm, FirmInvitationRequest, FirmRequest } from '@nivida/contract/firms/firms';
import type { ReactNode } from 'react';
import { assertOnline, formFailure } from '../../data/server/api.ts';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { SelectField, TextField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { inviteMember, saveFirmData } from './firm-calls.ts';

interface FirmDialogProps {
  userId: string;
  /** The firm to change; absent for a new one. */
  firm?: Firm | undefined;
  onClose: () => void;
}

/** Name and invoice data of a firm. */
export function FirmDialog({ userId, firm, onClose }: FirmDialogProps) {
  const form = useForm({ name: firm?.name ?? '', address: firm?.address ?? '', gstin: firm?.gstin ?? '' });
  const submit = () =>
    form.submit(
      validateForm(FirmRequest, form.values),
      async (values) => {
        assertOnline();
        await saveFirmData(userId, firm?.id, values);
        onClose();
      },
      (error) => formFailure(error, t`The firm was not saved`, form.values),
    );
  return (
    <FormDialog
      title={firm ? t`Change the firm` : t`New firm`}
      submitText={firm ? t`Save` : t`Create`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t`Name of the firm`} autoComplete="organization" required />
      <TextField
        form={form}
        name="address"
        label={t`Address`}
        hint={t`for invoices, optional`}
        autoComplete="street-address"
      />
      <TextField
        form={form}
        name="gstin"
        label={t`GSTIN`}
        hint={t`optional`}
        autoComplete="off"
        autoCapitalize="characters"
      />
    </FormDialog>
  );
}

/** Mails an invitation. */
export function InviteDialog({ userId, firm, onClose }: { userId: string; firm: Firm; onClose: () => void }) {
  const form = useForm({ email: '', role: 'member' });
  const submit = () =>
    form.submit(
      validateForm(FirmInvitationRequest, form.values),
      async ({ email, role }) => {
        assertOnline();
        await inviteMember(userId, firm.id, email, role);
        onClose();
      },
      (error) => formFailure(error, t`The invitation was not sent`, form.values),
    );
  return (
    <FormDialog
      title={t`Invite to ${firm.name}`}
      submitText={t`Invite`}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="s muted">
        {t`We mail a link that works for 7 days, for the account of this address only. An account can be made with it then.`}
      </p>
      <TextField form={form} name="email" label={t`Email`} type="email" autoComplete="off" required />
      <SelectField form={form} name="role" label={t`Role`} options={roleOptions()} />
    </FormDialog>
  );
}

/** The roles with what they may do. */
export const roleOptions = () =>
  [
    ['member', t`Member: works on bids`],
    ['owner', t`Owner: also invites and pays`],
  ] as const;

interface FirmConfirmDialogProps {
  title: string;
  confirmText: string;
  /** The call; it throws when it fails. */
  onConfirm: () => Promise<void>;
  failureText: string;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something is taken away. */
export function FirmConfirmDialog(props: FirmConfirmDialogProps) {
  const { title, confirmText, onConfirm, failureText, onClose, children } = props;
  const form = useForm({});
  const submit = () =>
    form.submit(
      { sent: {}, errors: {} },
      async () => {
        assertOnline();
        await onConfirm();
        onClose();
      },
      (error) => formFailure(error, failureText, {}),
    );
  return (
    <FormDialog title={title} submitText={confirmText} form={form} onSubmit={submit} onClose={onClose}>
      <p>{children}</p>
    </FormDialog>
  );
}
