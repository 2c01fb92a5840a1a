import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useHasAddedList } from '../../features/added-list/useHasAddedList.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazy/lazy.tsx';

const AddListDialog = lazyDialog(
  async () => (await import('../../features/added-list/AddListDialog.tsx')).AddListDialog,
  () => t`Add a list of tenders`,
);

/** A button below bookmarks: for a new list, or for the one that is not done yet. */
export function AddListLine() {
  const [isOpen, setIsOpen] = useState(false);
  const hasList = useHasAddedList();
  const navigate = useNavigate();
  return (
    <div className="row">
      {hasList ? (
        <ButtonLink to="/add-tenders">{t`Open your list of tenders`}</ButtonLink>
      ) : (
        <Button look="plain" onClick={() => setIsOpen(true)}>{t`Add a list of tenders`}</Button>
      )}
      {isOpen && <AddListDialog onClose={() => setIsOpen(false)} onSaved={() => void navigate('/add-tenders')} />}
    </div>
  );
}
