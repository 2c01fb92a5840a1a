import { isConnectionError, serverMessageOr } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useAlerts } from '../alert-state.ts';

interface MuteButtonProps {
  kind: 'mutedTenders' | 'mutedSearches';
  /** Of the tender or the saved search. */
  id: string;
  /** For screen readers: what is muted. */
  name: string;
}

async function setMuted({ kind, id }: Pick<MuteButtonProps, 'kind' | 'id'>, isMuted: boolean): Promise<void> {
  try {
    const { changePreferences } = await import('../push-device.ts');
    // by what is stored then: a press before this one may still be on its way
    await changePreferences(({ [kind]: held }) => {
      const others = held.filter((each) => each !== id);
      return { [kind]: isMuted ? [...others, id] : others };
    });
  } catch (error) {
    const reason = isConnectionError(error) ? 'It needs a connection.' : serverMessageOr(error, 'Please try again.');
    showToast({ text: `The change was not saved. ${reason}` });
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
      onClick={() => void setMuted({ kind, id }, !isMuted)}
    >
      {isMuted ? 'Unmute' : 'Mute'}
    </Button>
  );
}
