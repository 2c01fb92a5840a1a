import { t } from '@lingui/core/macro';
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import * as v from 'valibot';
import { currentTime } from '../../data/clock.ts';
import { saveRecord } from '../../data/records/records.ts';
import { typedText } from '../../data/typed-values.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { FormElement, TextAreaField } from '../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../ui/form/useForm.ts';
import { letterFailureText } from './letter-actions.ts';

const Address = v.object({ firmAddress: typedText(500) });

/** The address of the firm, which all letters have. */
export function AddressForm({ address }: { address: string }) {
  const form = useForm({ firmAddress: address });
  const submit = () =>
    form.submit(
      validateForm(Address, form.values),
      async (change) => {
        await saveRecord('profile', PROFILE_ID, change, currentTime().getTime());
        form.reset();
        showToast({ text: t`Saved.` });
      },
      (error) => ({ text: letterFailureText(error) }),
    );
  return (
    <FormElement form={form} onSubmit={submit}>
      <TextAreaField
        form={form}
        name="firmAddress"
        label={t`My firm's address`}
        hint={t`for letters`}
        rows={3}
        autoComplete="street-address"
      />
      <ErrorText text={form.failure} />
      <div>
        <Button type="submit" busy={form.isBusy}>
          {t`Save the address`}
        </Button>
      </div>
    </FormElement>
  );
}
