import { t } from '@lingui/core/macro';
import { MAX_REASON_LETTERS, Reason } from '@nivida/contract/desk/act';
import * as v from 'valibot';
import { TextAreaField } from '../../../ui/form/FormFields.tsx';
import type { Form } from '../../../ui/form/useForm.ts';

export const ReasonForm = v.object({ reason: Reason });

interface ReasonFieldProps {
  form: Form<{ reason: string }>;
  /** Who reads it. */
  hint?: string | undefined;
  onSubmit: () => unknown;
}

/** Why an act is done. A reason has one line, so Enter submits. */
export const ReasonField = ({ form, hint = t`stays in the audit log`, onSubmit }: ReasonFieldProps) => (
  <TextAreaField
    form={form}
    name="reason"
    label={t`Reason`}
    hint={hint}
    rows={2}
    maxLength={MAX_REASON_LETTERS}
    onKeyDown={(event) => {
      // Enter also ends the word of an input method. Safari says so by the key code only.
      if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === 229) return;
      event.preventDefault();
      onSubmit();
    }}
  />
);
