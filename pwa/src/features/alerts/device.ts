/**
 * The subscription of this device: made by a tap, compared with the server at each start, handed over when somebody signs
 * in, and let go when the user signs out by hand. Signing out does not make it anew: whoever wants reminders without an
 * account asks for them again.
 */
import type { PreferenceChange, Preferences, SubscriptionState } from '@nivida/contract/push';
import { MAX_WATCHED } from '@nivida/contract/push';
import { isHTTPError } from 'ky';
import { isNotFound } from '../../data/api.ts';
import type { DeviceDatabase, PushDeviceRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { deviceName } from '../../data/device-name.ts';
import { sendOutbox, toOutboxRow } from '../../data/outbox.ts';
import { isApplePhone, isStandalone } from '../../data/platform.ts';
import { currentOwner } from '../../data/session.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';
import { askKey, patchDevice, postDevice, putDevice, putWatched, removalOf } from './calls.ts';
import { possibleState, useAlerts } from './state.ts';
import { subscribe, toWire } from './subscribe.ts';

/** The key in `settings` of what the device wanted when alerts were last on here, for when they are on again. */
export const WANTED = 'alertsWanted';

/** The row of this device; undefined while alerts are off. */
export const readRow = (): Promise<PushDeviceRow | undefined> => onDevice((db) => db.pushDevice.get('device'));

/** Looks up what is possible here and whether it is on. */
export async function lookUp(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const possible = possibleState({
    hasPush: registration !== undefined && 'pushManager' in registration && 'Notification' in window,
    isApplePhone: isApplePhone(),
    isStandalone: isStandalone(),
    permission: globalThis.Notification?.permission,
  });
  const row = await readRow().catch(() => undefined);
  const isOn = possible === 'off' && row !== undefined;
  useAlerts.setState({ state: isOn ? 'on' : possible, preferences: isOn ? row.preferences : null });
}

/** One tab at a time: two would undo what the other has made. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return locks ? locks.request('push-device', work) : work();
}

/** The bookmarked tenders of a device that nobody is signed in to, the newest first; of a user the server knows them. */
export async function watchedIds(db: DeviceDatabase, owner: string): Promise<string[]> {
  if (owner !== '') return [];
  const rows = (await db.bookmarks.toArray()).sort((one, other) => other.at - one.at);
  return [...new Set(rows.map(({ tenderId }) => tenderId))].slice(0, MAX_WATCHED);
}

async function keep(row: Omit<PushDeviceRow, 'key'>): Promise<void> {
  await onDevice((db) => db.pushDevice.put({ key: 'device', ...row }));
  await writeSetting(WANTED, row.preferences);
}

/** What a device wants that has not been asked yet: what it wanted before, else by the browser's language and zone. */
async function firstWishes(): Promise<PreferenceChange> {
  const before = await readSetting(WANTED);
  const isHindi = navigator.language.startsWith('hi');
  return {
    ...(isHindi && { language: 'hi-IN' as const }),
    ...(typeof before === 'object' && before !== null && (before as Preferences)),
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Makes this browser a new device of whoever is signed in now. */
async function start(registration: ServiceWorkerRegistration, key: string): Promise<void> {
  const owner = currentOwner();
  const watched = await onDevice((db) => watchedIds(db, owner));
  const held = toWire(await subscribe(registration, key), key);
  const preferences = await firstWishes();
  const state = await postDevice({ ...held, name: deviceName(navigator.userAgent), preferences, tenderIds: watched });
  await keep({ owner, watched, id: state.id, secret: state.secret, rcpt: state.rcpt, preferences: state.preferences });
}

/** The browser's own question, then the subscription. Call it from a tap alone. Throws what stands in the way. */
export async function turnOn(): Promise<void> {
  // first of all: a browser that has waited for something else no longer takes it for an answer to the tap
  const permission = await Notification.requestPermission();
  if (permission === 'granted') {
    await inTurn(async () => start(await navigator.serviceWorker.ready, await askKey()));
  }
  await lookUp();
}

/** Removes the row of this device and queues its removal at the server. One transaction. */
async function removeRow(): Promise<void> {
  const isRemoved = await onDevice((db) =>
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

async function letGo(): Promise<void> {
  // First: without the row the service worker shows no names, and no start makes the device anew.
  await removeRow();
  await unsubscribe();
}

/** Lets this device go, here and at the server, now or when there is signal; what it wanted stays on the device. */
export async function turnOff(): Promise<void> {
  await inTurn(letGo);
  await lookUp();
}

/** The same at a sign-out: the page may close before a comparison with the server that is under way has ended. */
export async function turnOffAtOnce(): Promise<void> {
  // Asked for first: a sync that begins now must find the device let go.
  void turnOff().catch(() => undefined);
  await removeRow().catch(() => undefined);
  void unsubscribe().catch(() => undefined);
}

/** A change, or how it follows from what the device wants when its turn comes. */
type Wish = PreferenceChange | ((held: Preferences) => PreferenceChange);

/** Changes what this device wants, at the server and here, one change after the other. */
export async function changePreferences(wish: Wish): Promise<void> {
  await inTurn(async () => {
    const row = await readRow();
    if (!row) return;
    const { preferences } = await patchDevice(row, typeof wish === 'function' ? wish(row.preferences) : wish);
    await onDevice((db) => db.pushDevice.update('device', { preferences }));
    await writeSetting(WANTED, preferences);
  });
  await lookUp();
}

/** True when the server will never take this subscription: it is gone there, or made with keys that it does not know. */
const isRefused = (error: unknown) => isNotFound(error) || (isHTTPError(error) && error.response.status === 409);

async function tell(row: PushDeviceRow, owner: string, registration: ServiceWorkerRegistration): Promise<void> {
  const key = await askKey();
  const subscription = await subscribe(registration, key);
  // a session that has ended leaves the device to nobody, and with it the bookmarks that still show on it (R34)
  if (owner === '' && row.owner !== '') return start(registration, key);
  let state: SubscriptionState;
  try {
    state = await putDevice(row, toWire(subscription, key), owner !== '');
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (!isNotFound(error)) await subscription.unsubscribe();
    return start(registration, key);
  }
  const { rcpt, preferences } = state;
  await keep({ ...row, owner, rcpt, preferences, watched: owner === row.owner ? row.watched : [] });
}

/**
 * Compares what the browser holds with what the server does, and makes it whole: at each start, sign-in and return. Until
 * the server has answered for another user, pushes are shown without their text.
 */
export async function resync(): Promise<void> {
  await lookUp();
  await inTurn(async () => {
    const row = await readRow();
    const registration = await navigator.serviceWorker?.getRegistration();
    if (!registration?.pushManager) return;
    if (!row || Notification.permission !== 'granted') return letGo();
    const owner = currentOwner();
    if (row.owner !== owner) await onDevice((db) => db.pushDevice.put({ ...row, rcpt: '' }));
    if (navigator.onLine) await tell(row, owner, registration);
  });
  await lookUp();
  await tellWatched();
}

/** Tells the server of the bookmarks of a device that nobody is signed in to, when they are others than it knows. */
export async function tellWatched(): Promise<void> {
  const row = await readRow();
  if (row?.owner !== '' || currentOwner() !== '' || !navigator.onLine) return;
  const watched = await onDevice((db) => watchedIds(db, ''));
  if (JSON.stringify(watched) === JSON.stringify(row.watched)) return;
  await putWatched(row, watched);
  await onDevice((db) => db.pushDevice.update('device', { watched }));
}
