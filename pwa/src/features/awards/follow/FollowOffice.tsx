import { t } from '@lingui/core/macro';
import type { OfficeReference } from '@nivida/contract/awards/awards';
import { officeLabel } from '@nivida/contract/awards/office';
import { placeName } from '@nivida/contract/regions/states';
import { whenDatabaseIsWanted } from '../../../data/device/database.ts';
import { useLiveRows } from '../../../data/device/live-query.ts';
import type { FollowedOfficeRow } from '../../../data/device/schema.ts';
import { usePreload } from '../../../data/preload.ts';
import { useSellsNothing } from '../../../data/server/site.ts';
import { useSession } from '../../../data/session.ts';
import { Button } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/display/Icon.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { useSwitch } from '../../../ui/form/useSwitch.ts';
import css from './FollowOffice.module.css';

const loadActions = () => import('./follow-actions.ts');
// A new device has no followed offices.
const loadQuery = async () => {
  await whenDatabaseIsWanted();
  return (await import('./followed-offices.ts')).visibleOffices;
};

/** The offices that the user follows, newest first. Empty while the device is read. */
export const useFollowedOffices = (): readonly FollowedOfficeRow[] => useLiveRows(loadQuery).rows ?? [];

async function setFollowedOnClick(office: OfficeReference, wanted: boolean): Promise<boolean> {
  try {
    const { setFollowed } = await loadActions();
    return await setFollowed(office, wanted);
  } catch {
    showToast({ text: t`The change was not saved` });
    return false;
  }
}

/**
 * What a user gets by following an office. Where plans are sold, alerts about offices need a plan, like
 * alerts about saved searches.
 */
function followText(isSignedIn: boolean, state: string, sellsNothing: boolean): string {
  if (sellsNothing) {
    return isSignedIn
      ? t`New tenders and results come as alerts while ${state} is among your states.`
      : t`Saved on this phone. Alerts of its new tenders and results need an account.`;
  }
  return isSignedIn
    ? t`New tenders and results come as alerts while a plan or the free trial covers ${state}.`
    : t`Saved on this phone. Alerts of its new tenders and results need an account with a plan or the free trial.`;
}

/** The switch that follows an office. Works offline and signed out. */
export function FollowOffice({ office }: { office: OfficeReference }) {
  const isSignedIn = useSession() !== null;
  const sellsNothing = useSellsNothing();
  const followed = useFollowedOffices();
  const { isPressed, press } = useSwitch(followed.some(({ officeId }) => officeId === office.id));
  usePreload(loadActions);
  return (
    <div className={css.follow}>
      <Button aria-pressed={isPressed} onClick={() => press((wanted) => setFollowedOnClick(office, wanted))}>
        <Icon name="bell" small /> {isPressed ? t`Following this office` : t`Follow this office`}
      </Button>
      {isPressed && <p className="xs muted">{followText(isSignedIn, placeName(office.state), sellsNothing)}</p>}
    </div>
  );
}

interface UnfollowButtonProps {
  officeId: string;
  followed: readonly FollowedOfficeRow[];
}

/**
 * The button that ends following an office, in a list of notices or of followed offices. Renders nothing when
 * the office is not followed.
 */
export function UnfollowButton({ officeId, followed }: UnfollowButtonProps) {
  const office = followed.find((row) => row.officeId === officeId)?.office;
  if (!office) return null;
  return (
    <Button
      look="plain"
      aria-label={t`Unfollow ${{ office: officeLabel(office) }}`}
      onClick={() => void setFollowedOnClick(office, false)}
    >
      {t`Unfollow`}
    </Button>
  );
}
