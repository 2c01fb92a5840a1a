import { useAlerts } from '../../features/alerts/alert-state.ts';
import { alertStateLabel } from '../../features/alerts/labels.ts';
import { AlertSettings } from '../../features/alerts/settings/AlertSettings.tsx';
import { FollowedOfficeList } from '../../features/awards/follow/FollowedOfficeList.tsx';
import { useSavedSearches } from '../../features/searches/useSavedSearches.ts';

/** Names of the present user's saved searches by their ids. */
export function useSearchNames(): ReadonlyMap<string, string> {
  const { searches = [] } = useSavedSearches();
  return new Map(searches.map(({ id, name }) => [id, name]));
}

function DeviceAlertSettings() {
  return (
    <>
      <AlertSettings searchNames={useSearchNames()} />
      <FollowedOfficeList />
    </>
  );
}

/** The alerts of this device, as one line or with all settings. */
export function DeviceAlerts({ part }: { part: 'line' | 'settings' }) {
  const state = useAlerts((alerts) => alerts.state);
  if (part === 'settings') return <DeviceAlertSettings />;
  return <p className="s muted">{alertStateLabel(state)}</p>;
}
