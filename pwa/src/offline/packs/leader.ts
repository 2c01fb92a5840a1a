/** One tab, the leader, syncs. The others send it requests and receive its changes. */
import type { DeviceDatabase } from '../../data/device/schema.ts';

const LOCK_NAME = 'nivida-sync';
const CHANNEL_NAME = 'nivida-packs';
/** Without Web Locks: a tab's claim on a scope ends this long after its last step. */
const LEASE_MS = 30_000;

/**
 * Calls `onGained` when this tab becomes the leader and `onLost` when another tab replaces it. Returns a function that
 * steals the lead from a leader that no longer answers, for example because the browser has frozen its tab.
 */
export function runAsLeader(onGained: () => void, onLost: () => void): () => void {
  const { locks } = navigator;
  if (!locks) {
    // Every tab syncs; `claimScope` prevents two tabs from fetching the same scope at once.
    onGained();
    return () => undefined;
  }
  // The lock is never released: releasing and requesting it again would be a race between two tabs.
  const holdLock = () => {
    onGained();
    return new Promise<never>(() => undefined);
  };
  function wait(): void {
    let isHeld = false;
    const holdWaited = () => {
      isHeld = true;
      return holdLock();
    };
    locks.request(LOCK_NAME, holdWaited).catch(() => {
      if (!isHeld) return;
      onLost();
      wait();
    });
  }
  wait();
  // The tab's first request stays queued and is granted when another tab has stolen the lock from this one.
  return () => void locks.request(LOCK_NAME, { steal: true }, holdLock).catch(onLost);
}

const leaseKey = (scope: string) => `sync ${scope}`;

/**
 * Claims a scope for this tab until 30 seconds after `now` (milliseconds since 1970). `ownClaim` is the time of this
 * tab's last claim, or null. Returns the time of the new claim, or false when another tab has the scope.
 */
export async function claimScope(
  db: DeviceDatabase,
  scope: string,
  now: number,
  ownClaim: number | null,
): Promise<number | false> {
  return db.transaction('rw', db.settings, async () => {
    const storedAt = (await db.settings.get(leaseKey(scope)))?.value;
    const age = typeof storedAt === 'number' ? now - storedAt : LEASE_MS;
    // A claim from the future means that the device's clock was set back.
    if (storedAt !== ownClaim && age >= 0 && age < LEASE_MS) return false;
    await db.settings.put({ key: leaseKey(scope), value: now });
    return now;
  });
}

/** Ends the claim on a scope. */
export async function releaseScope(db: DeviceDatabase, scope: string): Promise<void> {
  await db.settings.delete(leaseKey(scope));
}

/** Messages between tabs. A tab of another version may send other types; these are ignored. */
export type TabMessage =
  /** To the leader: update this scope, or all scopes with null. */
  | { type: 'refresh'; scope: string | null; isForced?: boolean }
  /** From the leader: the request has arrived. */
  | { type: 'heard'; scope: string | null }
  /** To all tabs: the scope's row has changed or was removed. */
  | { type: 'changed'; scope: string }
  /** To all tabs: `received` uncompressed bytes of a file have arrived. */
  | { type: 'bytes'; scope: string; file: string; received: number }
  | { type: 'run'; scope: string; isRunning: boolean; problem: string | null }
  /** To all tabs: whether downloads wait on a mobile connection. */
  | { type: 'wifiOnly'; scope: null; isWifiOnly: boolean };

function isTabMessage(data: unknown): data is TabMessage {
  return typeof data === 'object' && data !== null && 'type' in data && 'scope' in data;
}

/** Returns the function that posts to the other tabs. Does nothing where the browser has no BroadcastChannel. */
export function openTabChannel(onMessage: (message: TabMessage) => void): (message: TabMessage) => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(CHANNEL_NAME);
  channel.addEventListener('message', ({ data }) => {
    if (isTabMessage(data)) onMessage(data);
  });
  return (message) => channel.postMessage(message);
}
