import { t } from '@lingui/core/macro';
import { Dialog } from '../../ui/Dialog.tsx';
import { ListForm } from './ListForm.tsx';

/** The form for a list, as a dialog. */
export function AddListDialog({ onClose, onSaved }: { onClose: () => void; onSaved: () => void }) {
  return (
    <Dialog title={t`Add a list of tenders`} onClose={onClose} isForm>
      <ListForm onSaved={onSaved} />
    </Dialog>
  );
}
