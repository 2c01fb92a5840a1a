import { AlertSettings } from '../../features/alerts/settings/AlertSettings.tsx';
import { FollowedOfficeList } from '../../features/awards/follow/FollowedOfficeList.tsx';
import { useSavedSearches } from '../../features/searches/useSavedSearches.ts';

/** Names of the current user's saved searches by their ids. */
export function useSearchNames(): ReadonlyMap<string, string> {
  const { searches = [] } = useSavedSearches();
  return new Map(searches.map(({ id, name }) => [id, name]));
}

/** All settings of this device's alerts. */
export function DeviceAlerts() {
  return (
    <>
      <AlertSettings searchNames={useSearchNames()} />
      <FollowedOfficeList />
    </>
  );
}
