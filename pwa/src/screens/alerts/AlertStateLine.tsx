import { useAlerts } from '../../features/alerts/alert-state.ts';
import { alertStateLabel } from '../../features/alerts/labels.ts';

/** The state of this device's alerts, in one line. */
export function AlertStateLine() {
  const state = useAlerts((alerts) => alerts.state);
  return <p className="s muted">{alertStateLabel(state)}</p>;
}
