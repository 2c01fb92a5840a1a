/**
 * The push subscription of this device. A tap creates it. Each start compares it with the server. A sign-in
 * moves it to the user, a sign-out removes it. After a sign-out the visitor must turn alerts on again.
 */
import { currentLanguage } from '@nivida/contract/i18n';
import { LANGUAGES, type Language, languageOfBrowser } from '@nivida/contract/languages';
import type { AlertPreferences, AlertPreferencesChange, SubscriptionResponse } from '@nivida/contract/push/push';
import { MAX_WATCHED_TENDERS } from '@nivida/contract/push/push';
import { isHTTPError } from 'ky';
import { withDatabase } from '../../data/device/database.ts';
import { deviceName, isAppleMobile, isStandalone } from '../../data/device/device-info.ts';
import type { DeviceDatabase, PushDeviceRow } from '../../data/device/schema.ts';
import { readSetting, writeSetting } from '../../data/device/settings.ts';
import { withLock } from '../../data/lock.ts';
import { sendOutbox, toOutboxRow } from '../../data/outbox/outbox.ts';
import { isNotFoundError } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';
import { possibleAlertState, useAlerts } from './alert-state.ts';
import {
  createPushDevice,
  fetchPushKey,
  removalOf,
  replaceWatchedTenders,
  updatePushDevice,
  updatePushPreferences,
} from './alerts-api.ts';
import { subscribeToPush, subscriptionBody } from './subscribe.ts';

/** Key in `settings` of the last preferences, which are used when alerts are turned on again. */
const SAVED_PREFERENCES_KEY = 'alertsWanted';

/** The row of this device; undefined while alerts are off. */
export const readPushDevice = (): Promise<PushDeviceRow | undefined> =>
  withDatabase((db) => db.pushDevice.get('device'));

/** Reads what this browser supports and whether alerts are on. */
export async function refreshAlertState(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const possible = possibleAlertState({
    hasPush: registration !== undefined && 'pushManager' in registration && 'Notification' in window,
    isApplePhone: isAppleMobile(),
    isStandalone: isStandalone(),
    permission: globalThis.Notification?.permission,
  });
  const row = await readPushDevice().catch(() => undefined);
  const isOn = possible === 'off' && row !== undefined;
  useAlerts.setState({ state: isOn ? 'on' : possible, preferences: isOn ? row.preferences : null });
}

/** Runs work in one tab at a time: two tabs would undo each other's subscription. */
const withPushDeviceLock = <T>(work: () => Promise<T>): Promise<T> => withLock('push-device', work);

/**
 * The bookmarks of a signed-out device, newest first. Empty for a signed-in user, because the server has the
 * user's bookmarks.
 */
export async function watchedTenderIds(db: DeviceDatabase, owner: string): Promise<string[]> {
  if (owner !== '') return [];
  const rows = (await db.bookmarks.toArray()).sort((one, other) => other.at - one.at);
  return [...new Set(rows.map(({ tenderId }) => tenderId))].slice(0, MAX_WATCHED_TENDERS);
}

const savePreferences = (owner: string, preferences: AlertPreferences): Promise<void> =>
  writeSetting(SAVED_PREFERENCES_KEY, { ...preferences, owner });

async function savePushDevice(row: Omit<PushDeviceRow, 'key'>): Promise<void> {
  await withDatabase((db) => db.pushDevice.put({ key: 'device', ...row }));
  await savePreferences(row.owner, row.preferences);
}

/** Removes the saved preferences, unless they are another user's. */
export async function deleteSavedPreferences(db: DeviceDatabase, owner: string): Promise<void> {
  const saved = db.settings.where('key').equals(SAVED_PREFERENCES_KEY);
  await saved.filter(({ value }) => !isOfAnotherUser((value as { owner: string }).owner, owner)).delete();
}

/**
 * True when a device belongs to another user. A sync that runs during a sign-out must not give a user's
 * device to the visitor.
 */
const isOfAnotherUser = (rowOwner: string | undefined, owner: string): boolean =>
  Boolean(rowOwner) && rowOwner !== owner;

/** The language of the app; that of the browser while the app is English. */
function initialLanguage(): Language {
  if (currentLanguage() !== 'en') return currentLanguage();
  return languageOfBrowser() ?? 'en';
}

/**
 * Preferences of a new device: the last ones of this device, or defaults by the language and the time zone.
 */
async function initialPreferences(): Promise<AlertPreferencesChange> {
  const saved = await readSetting(SAVED_PREFERENCES_KEY);
  const { owner: _, ...previousPreferences } = {
    ...(saved as (Partial<AlertPreferences> & { owner?: string }) | null),
  };
  const language = initialLanguage();
  return {
    ...(language !== 'en' && { language: LANGUAGES[language].locale }),
    ...previousPreferences,
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Registers this browser as a new device of the current user or visitor. */
async function registerDevice(registration: ServiceWorkerRegistration, key: string): Promise<void> {
  const owner = currentOwner();
  const watched = await withDatabase((db) => watchedTenderIds(db, owner));
  const subscription = subscriptionBody(await subscribeToPush(registration, key), key);
  const preferences = await initialPreferences();
  const state = await createPushDevice(owner, {
    ...subscription,
    name: deviceName(navigator.userAgent),
    preferences,
    tenderIds: watched,
  });
  await savePushDevice({
    owner,
    watched,
    id: state.id,
    secret: state.secret,
    rcpt: state.rcpt,
    preferences: state.preferences,
  });
}

/** Asks for the browser's permission, then subscribes. Call it only from a tap. Throws when a step fails. */
export async function turnOnAlerts(): Promise<void> {
  // Browsers accept the request only right after the tap, so it comes first.
  const permission = await Notification.requestPermission();
  if (permission === 'granted') {
    await withPushDeviceLock(async () => registerDevice(await navigator.serviceWorker.ready, await fetchPushKey()));
  }
  await refreshAlertState();
}

/**
 * Removes the row of this device and queues its removal at the server. A row of another user than `owner`
 * stays. Returns false when nothing was removed. One transaction.
 */
async function removeRow(owner?: string): Promise<boolean> {
  const isRemoved = await withDatabase((db) =>
    db.transaction('rw', db.pushDevice, db.outbox, async () => {
      const row = await db.pushDevice.get('device');
      if (!row || (owner !== undefined && isOfAnotherUser(row.owner, owner))) return false;
      await db.pushDevice.delete('device');
      await db.outbox.put(toOutboxRow(removalOf(row)));
      return true;
    }),
  );
  if (isRemoved) void sendOutbox().catch(() => undefined);
  return isRemoved;
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe().catch(() => false);
}

async function unregisterDevice(): Promise<void> {
  // The row is removed first: without it the service worker shows no text, and no start registers the device
  // again.
  await removeRow();
  await unsubscribe();
}

/**
 * Removes this device here at once, and at the server when there is a connection. Its preferences stay on the
 * device.
 */
export async function turnOffAlerts(): Promise<void> {
  await withPushDeviceLock(unregisterDevice);
  await refreshAlertState();
}

async function unregisterDeviceOf(owner: string): Promise<void> {
  if (await removeRow(owner)) await unsubscribe();
}

/**
 * Turns alerts off when `owner` signs out. Does not wait for a running comparison with the server, because
 * the page may close before it ends. A device that belongs to the next user already stays.
 */
export async function turnOffAtOnce(owner: string): Promise<void> {
  // The lock is requested first: a sync that begins now must find the device removed.
  void withPushDeviceLock(() => unregisterDeviceOf(owner))
    .then(refreshAlertState)
    .catch(() => undefined);
  const isRemoved = await removeRow(owner).catch(() => false);
  if (isRemoved) void unsubscribe().catch(() => undefined);
}

/** A change, or a function that returns the change for the current preferences. */
type PreferenceUpdate = AlertPreferencesChange | ((current: AlertPreferences) => AlertPreferencesChange);

/**
 * Changes the preferences of this device, at the server first and then here. Changes run one after the other.
 */
export async function changePreferences(update: PreferenceUpdate): Promise<void> {
  await withPushDeviceLock(async () => {
    const row = await readPushDevice();
    if (!row) return;
    const { preferences } = await updatePushPreferences(
      row,
      typeof update === 'function' ? update(row.preferences) : update,
    );
    await withDatabase((db) => db.pushDevice.update('device', { preferences }));
    await savePreferences(row.owner, preferences);
  });
  await refreshAlertState();
}

/** True when the server refuses this subscription for good: it was removed, or its key is unknown. */
const isSubscriptionRefused = (error: unknown) =>
  isNotFoundError(error) || (isHTTPError(error) && error.response.status === 409);

async function updateRegistration(
  row: PushDeviceRow,
  owner: string,
  registration: ServiceWorkerRegistration,
): Promise<void> {
  const key = await fetchPushKey();
  const subscription = await subscribeToPush(registration, key);
  // After an expired session the device becomes a signed-out one, with the bookmarks that it shows (R34).
  if (owner === '' && row.owner !== '') return registerDevice(registration, key);
  let state: SubscriptionResponse;
  try {
    state = await updatePushDevice(row, subscriptionBody(subscription, key), owner);
  } catch (error) {
    if (!isSubscriptionRefused(error)) throw error;
    if (!isNotFoundError(error)) await subscription.unsubscribe();
    return registerDevice(registration, key);
  }
  const { rcpt, preferences } = state;
  await savePushDevice({ ...row, owner, rcpt, preferences, watched: owner === row.owner ? row.watched : [] });
}

/**
 * Compares the browser's subscription with the server's and repairs it. Called at each start, sign-in and
 * return to the app. Until the server has answered for a new user, pushes are shown without their text.
 */
export async function syncPushDevice(): Promise<void> {
  await refreshAlertState();
  await withPushDeviceLock(async () => {
    const row = await readPushDevice();
    const registration = await navigator.serviceWorker?.getRegistration();
    if (!registration?.pushManager) return;
    if (!row || Notification.permission !== 'granted') return unregisterDevice();
    const owner = currentOwner();
    if (row.owner !== owner) await withDatabase((db) => db.pushDevice.put({ ...row, rcpt: '' }));
    if (navigator.onLine) await updateRegistration(row, owner, registration);
  });
  await refreshAlertState();
  await syncWatchedTenders();
}

/** Sends the bookmarks of a signed-out device to the server if they have changed. */
export async function syncWatchedTenders(): Promise<void> {
  const row = await readPushDevice();
  if (row?.owner !== '' || currentOwner() !== '' || !navigator.onLine) return;
  const watched = await withDatabase((db) => watchedTenderIds(db, ''));
  if (JSON.stringify(watched) === JSON.stringify(row.watched)) return;
  await replaceWatchedTenders(row, watched);
  await withDatabase((db) => db.pushDevice.update('device', { watched }));
}
