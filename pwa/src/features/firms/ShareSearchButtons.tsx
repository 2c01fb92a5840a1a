import { t } from '@lingui/core/macro';
import { useOwner } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { shareSearch } from './share-search.ts';
import { useFirms } from './useFirms.ts';

/** A button for each firm with which a saved search can be shared. */
export function ShareSearchButtons({ name, query }: { name: string; query: string }) {
  const userId = useOwner();
  const firms = useFirms().rows ?? [];
  if (userId === '') return null;
  const share = (firmId: string, firm: string) =>
    shareSearch(userId, firmId, name, query).then(
      () => showToast({ text: t`${name} is shared with ${firm}.` }),
      () => showToast({ text: t`${name} was not shared. Free some storage and try again.` }),
    );
  return firms
    .filter(({ canWrite }) => canWrite)
    .map(({ id, name: firm }) => (
      <Button key={id} look="plain" onClick={() => void share(id, firm)}>
        {t`Share with ${firm}`}
        <span className="sr"> {name}</span>
      </Button>
    ));
}
