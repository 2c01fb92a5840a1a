import { t } from '@lingui/core/macro';
import { closingText } from '@nivida/contract/tenders/closing';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { saveCalendarFile } from './CalendarButton.tsx';

interface CalendarDialogProps {
  tender: Tender;
  now: Date;
  onClose: () => void;
}

/**
 * The dialog that the button "Calendar" of a notification opens: a browser saves a file only after a tap in
 * the page.
 */
export function CalendarDialog({ tender, now, onClose }: CalendarDialogProps) {
  const { closing_date, closing_time_known: timeKnown, title } = tender;
  return (
    <Dialog title={t`Add to calendar`} onClose={onClose}>
      <p>{title}</p>
      <p className="muted">{t`Closing: ${{ closing: closingText({ at: new Date(closing_date), timeKnown }) }}`}</p>
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button
          look="main"
          onClick={() => {
            void saveCalendarFile(tender, now);
            onClose();
          }}
        >
          {t`Save calendar file`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
