import { formatAge } from '@nivida/contract/format';
import { useNow } from '../../../data/clock.ts';

/** Says that figures come from the device, and how old they are. */
export function SavedAwardsNote({ savedAt }: { savedAt: Date }) {
  const now = useNow();
  return <p className="xs muted">Offline copy · Saved {formatAge(savedAt, now)}.</p>;
}
