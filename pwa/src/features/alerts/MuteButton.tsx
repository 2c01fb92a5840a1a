import type { PreferenceChange } from '@nivida/contract/push';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast.ts';
import { useAlerts } from './state.ts';

interface MuteButtonProps {
  kind: 'mutedTenders' | 'mutedSearches';
  /** Of the tender or the saved search. */
  id: string;
  /** For screen readers: what is muted. */
  name: string;
}

async function change(wanted: PreferenceChange): Promise<void> {
  try {
    const { changePreferences } = await import('./device.ts');
    await changePreferences(wanted);
  } catch {
    showToast({ text: 'The change was not saved. It needs a connection.' });
  }
}

/** Mutes a tender or a saved search on this device, or takes that back; nothing while alerts are off. */
export function MuteButton({ kind, id, name }: MuteButtonProps) {
  const ids = useAlerts(({ preferences }) => preferences?.[kind]);
  if (!ids) return null;
  const isMuted = ids.includes(id);
  return (
    <Button
      look="plain"
      aria-label={`${isMuted ? 'Unmute' : 'Mute'} ${name}`}
      onClick={() => void change({ [kind]: isMuted ? ids.filter((each) => each !== id) : [...ids, id] })}
    >
      {isMuted ? 'Unmute' : 'Mute'}
    </Button>
  );
}
