/** State of the alerts on this device. Small, because the layout of every page loads it. */
import type { AlertPreferences } from '@nivida/contract/push/push';
import { create } from 'zustand';

/**
 * 'unknown' until it was read; 'unsupported' by this browser; 'install' on an iPhone or iPad outside the home screen;
 * 'denied' in the browser; else 'off' or 'on'.
 */
export type AlertState = 'unknown' | 'unsupported' | 'install' | 'denied' | 'off' | 'on';

interface AlertStore {
  state: AlertState;
  /** Null unless alerts are on. */
  preferences: AlertPreferences | null;
  /** Unread notices, on the device and at the server. */
  unread: number;
}

/** The present state; `refreshAlertState` updates it. */
export const useAlerts = create<AlertStore>(() => ({ state: 'unknown', preferences: null, unread: 0 }));

/** Capabilities of a browser. */
export interface BrowserCapabilities {
  /** Service worker, push and notifications are all there. */
  hasPush: boolean;
  isApplePhone: boolean;
  isStandalone: boolean;
  permission: NotificationPermission | undefined;
}

/** The state by the browser alone: 'off' where alerts are possible. */
export function possibleAlertState({
  hasPush,
  isApplePhone,
  isStandalone,
  permission,
}: BrowserCapabilities): AlertState {
  if (!hasPush) return isApplePhone && !isStandalone ? 'install' : 'unsupported';
  return permission === 'denied' ? 'denied' : 'off';
}
