/**
 * The subscription of this device: made by a tap, compared with the server at each start, handed over when somebody signs
 * in, and let go when the user signs out by hand. Signing out does not make it anew: whoever wants reminders without an
 * account asks for them again.
 */
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

/** The key in `settings` of what the device wanted when alerts were last on here, for when they are on again. */
export const SAVED_PREFERENCES_KEY = 'alertsWanted';

/** The row of this device; undefined while alerts are off. */
export const readPushDevice = (): Promise<PushDeviceRow | undefined> =>
  withDatabase((db) => db.pushDevice.get('device'));

/** Looks up what is possible here and whether it is on. */
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

/** One tab at a time: two tabs would undo each other's subscription. */
const withPushDeviceLock = <T>(work: () => Promise<T>): Promise<T> => withLock('push-device', work);

/** The bookmarked tenders of a device that nobody is signed in to, the newest first; of a user the server knows them. */
export async function watchedTenderIds(db: DeviceDatabase, owner: string): Promise<string[]> {
  if (owner !== '') return [];
  const rows = (await db.bookmarks.toArray()).sort((one, other) => other.at - one.at);
  return [...new Set(rows.map(({ tenderId }) => tenderId))].slice(0, MAX_WATCHED_TENDERS);
}

async function savePushDevice(row: Omit<PushDeviceRow, 'key'>): Promise<void> {
  await withDatabase((db) => db.pushDevice.put({ key: 'device', ...row }));
  await writeSetting(SAVED_PREFERENCES_KEY, row.preferences);
}

/** What a device wants that has not been asked yet: what it wanted before, else by the browser's language and zone. */
async function initialPreferences(): Promise<AlertPreferencesChange> {
  const previousPreferences = await readSetting(SAVED_PREFERENCES_KEY);
  const isHindi = navigator.language.startsWith('hi');
  return {
    ...(isHindi && { language: 'hi-IN' as const }),
    ...(typeof previousPreferences === 'object' &&
      previousPreferences !== null &&
      (previousPreferences as AlertPreferences)),
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Makes this browser a new device of whoever is signed in now. */
async function registerDevice(registration: ServiceWorkerRegistration, key: string): Promise<void> {
  const owner = currentOwner();
  const watched = await withDatabase((db) => watchedTenderIds(db, owner));
  const subscription = subscriptionBody(await subscribeToPush(registration, key), key);
  const preferences = await initialPreferences();
  const state = await createPushDevice({
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

/** The browser's own question, then the subscription. Call it from a tap alone. Throws what stands in the way. */
export async function turnOnAlerts(): Promise<void> {
  // first of all: a browser that has waited for something else no longer takes it for an answer to the tap
  const permission = await Notification.requestPermission();
  if (permission === 'granted') {
    await withPushDeviceLock(async () => registerDevice(await navigator.serviceWorker.ready, await fetchPushKey()));
  }
  await refreshAlertState();
}

/** Removes the row of this device and queues its removal at the server. One transaction. */
async function removeRow(): Promise<void> {
  const isRemoved = await withDatabase((db) =>
    db.transaction('rw', db.pushDevice, db.outbox, async () => {
      const row = await db.pushDevice.get('device');
      if (!row) return false;
      await db.pushDevice.delete('device');
      await db.outbox.put(toOutboxRow(removalOf(row)));
      return true;
    }),
  );
  if (isRemoved) void sendOutbox().catch(() => undefined);
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe().catch(() => false);
}

async function unregisterDevice(): Promise<void> {
  // First: without the row the service worker shows no names, and no start makes the device anew.
  await removeRow();
  await unsubscribe();
}

/** Lets this device go, here and at the server, now or when there is signal; what it wanted stays on the device. */
export async function turnOffAlerts(): Promise<void> {
  await withPushDeviceLock(unregisterDevice);
  await refreshAlertState();
}

/** The same at a sign-out: the page may close before a comparison with the server that is under way has ended. */
export async function turnOffAtOnce(): Promise<void> {
  // Asked for first: a sync that begins now must find the device let go.
  void turnOffAlerts().catch(() => undefined);
  await removeRow().catch(() => undefined);
  void unsubscribe().catch(() => undefined);
}

/** A change, or how it follows from what the device wants when its turn comes. */
type PreferenceUpdate = AlertPreferencesChange | ((current: AlertPreferences) => AlertPreferencesChange);

/** Changes what this device wants, at the server and here, one change after the other. */
export async function changePreferences(update: PreferenceUpdate): Promise<void> {
  await withPushDeviceLock(async () => {
    const row = await readPushDevice();
    if (!row) return;
    const { preferences } = await updatePushPreferences(
      row,
      typeof update === 'function' ? update(row.preferences) : update,
    );
    await withDatabase((db) => db.pushDevice.update('device', { preferences }));
    await writeSetting(SAVED_PREFERENCES_KEY, preferences);
  });
  await refreshAlertState();
}

/** True when the server will never take this subscription: it is gone there, or made with keys that it does not know. */
const isSubscriptionRefused = (error: unknown) =>
  isNotFoundError(error) || (isHTTPError(error) && error.response.status === 409);

async function updateRegistration(
  row: PushDeviceRow,
  owner: string,
  registration: ServiceWorkerRegistration,
): Promise<void> {
  const key = await fetchPushKey();
  const subscription = await subscribeToPush(registration, key);
  // a session that has ended leaves the device to nobody, and with it the bookmarks that still show on it (R34)
  if (owner === '' && row.owner !== '') return registerDevice(registration, key);
  let state: SubscriptionResponse;
  try {
    state = await updatePushDevice(row, subscriptionBody(subscription, key), owner !== '');
  } catch (error) {
    if (!isSubscriptionRefused(error)) throw error;
    if (!isNotFoundError(error)) await subscription.unsubscribe();
    return registerDevice(registration, key);
  }
  const { rcpt, preferences } = state;
  await savePushDevice({ ...row, owner, rcpt, preferences, watched: owner === row.owner ? row.watched : [] });
}

/**
 * Compares what the browser holds with what the server does, and makes it whole: at each start, sign-in and return. Until
 * the server has answered for another user, pushes are shown without their text.
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

/** Tells the server of the bookmarks of a device that nobody is signed in to, when they are others than it knows. */
export async function syncWatchedTenders(): Promise<void> {
  const row = await readPushDevice();
  if (row?.owner !== '' || currentOwner() !== '' || !navigator.onLine) return;
  const watched = await withDatabase((db) => watchedTenderIds(db, ''));
  if (JSON.stringify(watched) === JSON.stringify(row.watched)) return;
  await replaceWatchedTenders(row, watched);
  await withDatabase((db) => db.pushDevice.update('device', { watched }));
}
