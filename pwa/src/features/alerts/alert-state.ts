/** State of the alerts on this device. Small, because the layout of every page loads it. */
import type { AlertPreferences } from '@nivida/contract/push/push';
import { create } from 'zustand';

/**
 * - 'unknown': not read yet
 * - 'unsupported': this browser has no push
 * - 'install': an iPhone or iPad where the app is not on the home screen
 * - 'denied': the user has refused the browser's permission
 * - 'off' and 'on': alerts are possible
 */
export type AlertState = 'unknown' | 'unsupported' | 'install' | 'denied' | 'off' | 'on';

interface AlertStore {
  state: AlertState;
  /** Null while alerts are off. */
  preferences: AlertPreferences | null;
  /** Unread notices, on the device and at the server. */
  unread: number;
  /** Unread answers of support on the device. */
  unreadAnswers: number;
}

/** The current state. `refreshAlertState` updates it. */
export const useAlerts = create<AlertStore>(() => ({
  state: 'unknown',
  preferences: null,
  unread: 0,
  unreadAnswers: 0,
}));

/** Capabilities of a browser. */
export interface BrowserCapabilities {
  /** The browser has service worker, push and notifications. */
  hasPush: boolean;
  isApplePhone: boolean;
  isStandalone: boolean;
  permission: NotificationPermission | undefined;
}

/** The state that the browser alone allows: 'off' means that alerts are possible. */
export function possibleAlertState({
  hasPush,
  isApplePhone,
  isStandalone,
  permission,
}: BrowserCapabilities): AlertState {
  if (!hasPush) return isApplePhone && !isStandalone ? 'install' : 'unsupported';
  return permission === 'denied' ? 'denied' : 'off';
}
