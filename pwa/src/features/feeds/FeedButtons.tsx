import { t } from '@lingui/core/macro';
import type { TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { useState } from 'react';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { lazyDialog } from '../../ui/lazy/lazy.tsx';

const ListFeedsDialog = lazyDialog(
  async () => (await import('./ListFeedsDialog.tsx')).ListFeedsDialog,
  () => t`Feed, CSV and calendar`,
);

const SearchFeedDialog = lazyDialog(
  async () => (await import('./SearchFeedDialog.tsx')).SearchFeedDialog,
  () => t`Feed, CSV and calendar`,
);

/** Opens the public addresses of a list. */
export function ListFeedsButton({ search }: { search: TenderListQuery }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="plain" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t`Feed, CSV, calendar`}
      </Button>
      {isOpen && <ListFeedsDialog search={search} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Opens the private addresses of a saved search. Renders nothing for a search that is not of the signed-in user. */
export function SearchFeedButton({ search }: { search: { id: string; name: string; owner: string } }) {
  const session = useSession();
  const [isOpen, setIsOpen] = useState(false);
  if (!session || search.owner !== session.user._id) return null;
  return (
    <>
      <Button
        look="plain"
        aria-haspopup="dialog"
        aria-label={t`Feed of ${{ name: search.name }}`}
        onClick={() => setIsOpen(true)}
      >
        {t`Feed`}
      </Button>
      {isOpen && <SearchFeedDialog userId={session.user._id} search={search} onClose={() => setIsOpen(false)} />}
    </>
  );
}
