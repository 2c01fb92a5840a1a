import { usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { resendMail } from './orders.ts';

/** Has the mail with the documents of a paid order sent again. */
export function ResendButton({ orderId }: { orderId: string }) {
  const press = usePress('Failed to send the email');
  const send = async () => showToast({ text: await resendMail(orderId) });
  return (
    <>
      <Button busy={press.isBusy} onClick={() => void press.run(send)}>
        Send the email again
      </Button>
      <Problem text={press.problem} />
    </>
  );
}
