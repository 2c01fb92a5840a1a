import { Icon } from '../../../ui/display/Icon.tsx';
import { useAlerts } from '../alert-state.ts';
import { MuteButton } from './MuteButton.tsx';
import css from './MuteStatus.module.css';

/** Over a bookmarked tender: whether this device is told of it, and the way to change that; nothing while alerts are off. */
export function MuteStatus({ tenderId }: { tenderId: string }) {
  const muted = useAlerts(({ preferences }) => preferences?.mutedTenders);
  if (!muted) return null;
  return (
    <p className={css.note}>
      <Icon name="bell" small />
      <span>{muted.includes(tenderId) ? 'Muted on this phone.' : 'You are told before this closes.'}</span>
      <MuteButton kind="mutedTenders" id={tenderId} name="this tender" />
    </p>
  );
}
