import { t } from '@lingui/core/macro';
import { useMutation } from '../../data/useMutation.ts';
import { Button, type ButtonVariant } from '../../ui/Button.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { resendDocumentMail } from './orders.ts';

/** Sends the mail with the documents of a paid order again. */
export function ResendMailButton({ orderId, look }: { orderId: string; look?: ButtonVariant }) {
  const mutation = useMutation(t`Failed to send the email`);
  const send = async () => showToast({ text: await resendDocumentMail(orderId) });
  return (
    <>
      <Button {...(look && { look })} busy={mutation.isBusy} onClick={() => void mutation.run(send)}>
        {t`Send the email again`}
      </Button>
      <ErrorText text={mutation.problem} />
    </>
  );
}
