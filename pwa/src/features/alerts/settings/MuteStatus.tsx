import { t } from '@lingui/core/macro';
import { Icon } from '../../../ui/display/Icon.tsx';
import { useAlerts } from '../alert-state.ts';
import { MuteButton } from './MuteButton.tsx';
import css from './MuteStatus.module.css';

/**
 * Shows whether a bookmarked tender is muted on this device, with the button. Renders nothing while alerts
 * are off.
 */
export function MuteStatus({ tenderId }: { tenderId: string }) {
  const muted = useAlerts(({ preferences }) => preferences?.mutedTenders);
  if (!muted) return null;
  return (
    <p className={css.note}>
      <Icon name="bell" small />
      <span>{muted.includes(tenderId) ? t`Muted on this phone.` : t`Reminder on.`}</span>
      <MuteButton kind="mutedTenders" id={tenderId} name={t`this tender`} />
    </p>
  );
}
