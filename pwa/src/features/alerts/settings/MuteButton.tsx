import { t } from '@lingui/core/macro';
import { isConnectionError, serverMessageOr } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useAlerts } from '../alert-state.ts';

interface MuteButtonProps {
  kind: 'mutedTenders' | 'mutedSearches';
  /** Id of the tender or the saved search. */
  id: string;
  /** What is muted, for screen readers. */
  name: string;
}

async function setMuted({ kind, id }: Pick<MuteButtonProps, 'kind' | 'id'>, isMuted: boolean): Promise<void> {
  try {
    const { changePreferences } = await import('../push-device.ts');
    // The change uses the list at that time, because an earlier change may not be stored yet.
    await changePreferences(({ [kind]: muted }) => {
      const others = muted.filter((each) => each !== id);
      return { [kind]: isMuted ? [...others, id] : others };
    });
  } catch (error) {
    const reason = isConnectionError(error) ? t`It needs a connection.` : serverMessageOr(error, t`Please try again.`);
    showToast({ text: t`The change was not saved. ${reason}` });
  }
}

/** Mutes or unmutes a tender or saved search on this device. Renders nothing while alerts are off. */
export function MuteButton({ kind, id, name }: MuteButtonProps) {
  const ids = useAlerts(({ preferences }) => preferences?.[kind]);
  if (!ids) return null;
  const isMuted = ids.includes(id);
  return (
    <Button
      look="plain"
      aria-label={isMuted ? t`Unmute ${name}` : t`Mute ${name}`}
      onClick={() => void setMuted({ kind, id }, !isMuted)}
    >
      {isMuted ? t`Unmute` : t`Mute`}
    </Button>
  );
}
