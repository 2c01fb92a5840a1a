import { usePress } from '../../data/press.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { saveCreditNote } from './orders.ts';

/** The credit note of a refunded order as a PDF; nothing while there is none. */
export function CreditNoteButton({ orderId, number }: { orderId: string; number: string | null | undefined }) {
  const press = usePress('Failed to load the credit note');
  if (!number) return null;
  return (
    <>
      <Button busy={press.isBusy} onClick={() => void press.run(() => saveCreditNote(orderId, number))}>
        <Icon name="download" /> Credit note <span className="sr">{number}</span> PDF
      </Button>
      <Problem text={press.problem} />
    </>
  );
}
