import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { Dialog, DialogActions } from '../Dialog.tsx';
import { ErrorText } from '../feedback/Note.tsx';
import { FormElement } from './FormFields.tsx';
import type { Form } from './useForm.ts';

interface FormDialogProps {
  title: string;
  form: Pick<Form<object>, 'ref' | 'failure' | 'isBusy'>;
  /** Text of the main button. */
  submitText?: string;
  cancelText?: string;
  onSubmit: () => unknown;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with a form: its fields, why the last call failed, and buttons to cancel and to submit. */
export function FormDialog(props: FormDialogProps) {
  const { title, form, submitText = t`Save`, cancelText = t`Cancel`, onSubmit, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose} isForm>
      <FormElement form={form} onSubmit={onSubmit}>
        {children}
        <ErrorText text={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>{cancelText}</Button>
          <Button look="main" type="submit" busy={form.isBusy}>
            {submitText}
          </Button>
        </DialogActions>
      </FormElement>
    </Dialog>
  );
}
