/** Whether this device is told, as screens see it; small, since the frame of every page reads it. */
import type { AlertPreferences } from '@nivida/contract/push/push';
import { create } from 'zustand';

/**
 * 'unknown' until it was looked up; 'unsupported' by this browser; 'install' on an iPhone or iPad outside the home
 * screen; 'denied' in the browser; else 'off' or 'on'.
 */
export type AlertState = 'unknown' | 'unsupported' | 'install' | 'denied' | 'off' | 'on';

interface AlertStore {
  state: AlertState;
  /** What this device wants; null unless it is on. */
  preferences: AlertPreferences | null;
  /** Unread notices, also those that only the server has. */
  unread: number;
}

/** The present state; `refresh.ts` keeps it. */
export const useAlerts = create<AlertStore>(() => ({ state: 'unknown', preferences: null, unread: 0 }));

/** What a browser says of itself. */
export interface BrowserCapabilities {
  /** Service worker, push and notifications are all there. */
  hasPush: boolean;
  isApplePhone: boolean;
  isStandalone: boolean;
  permission: NotificationPermission | undefined;
}

/** What alerts can be on a browser, before one knows whether they are on. */
export function possibleAlertState({
  hasPush,
  isApplePhone,
  isStandalone,
  permission,
}: BrowserCapabilities): AlertState {
  if (!hasPush) return isApplePhone && !isStandalone ? 'install' : 'unsupported';
  return permission === 'denied' ? 'denied' : 'off';
}
