import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMutation } from '../../data/useMutation.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { saveCreditNote } from './orders.ts';

/** Saves the credit note of a refunded order as a PDF; renders nothing without one. */
export function CreditNoteButton({ orderId, number }: { orderId: string; number: string | null | undefined }) {
  const mutation = useMutation(t`Failed to load the credit note`);
  if (!number) return null;
  return (
    <>
      <Button busy={mutation.isBusy} onClick={() => void mutation.run(() => saveCreditNote(orderId, number))}>
        <Icon name="download" />{' '}
        <Trans>
          Credit note <span className="sr">{number}</span> PDF
        </Trans>
      </Button>
      <ErrorText text={mutation.problem} />
    </>
  );
}
