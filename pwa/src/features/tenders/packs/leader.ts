/** One tab does the syncing; the others tell it what they want and hear from it what has changed. */
import type { DeviceDatabase } from '../../../data/device/schema.ts';

const LOCK_NAME = 'nivida-sync';
const CHANNEL_NAME = 'nivida-packs';
/** Without locks: how long another tab is believed to be at work after its last step. */
const LEASE_MS = 30_000;

/**
 * Calls `begin` when this tab has become the one that syncs, and `end` when another tab has taken that over. Returns the
 * way to take over: for a tab whose leader no longer answers, because the browser has frozen it, for one.
 */
export function runAsLeader(onGained: () => void, onLost: () => void): () => void {
  const { locks } = navigator;
  if (!locks) {
    // every tab syncs; `claim` keeps two from fetching the same at once
    onGained();
    return () => undefined;
  }
  // Held for ever: a lock that is given back and asked for again is a race between two tabs.
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
  // the tab's first request goes on waiting: it is granted when the one that steals has been stolen from
  return () => void locks.request(LOCK_NAME, { steal: true }, holdLock).catch(onLost);
}

const leaseKey = (scope: string) => `sync ${scope}`;

/**
 * Claims a scope for this tab until 30 seconds after `now` (milliseconds since 1970): false when another tab has it.
 * `mine` is the time at which this tab claimed it before, or null. Returns the new one.
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
    // a claim from the future is a device's clock that was put back
    if (storedAt !== ownClaim && age >= 0 && age < LEASE_MS) return false;
    await db.settings.put({ key: leaseKey(scope), value: now });
    return now;
  });
}

/** Gives a claimed scope back. */
export async function releaseScope(db: DeviceDatabase, scope: string): Promise<void> {
  await db.settings.delete(leaseKey(scope));
}

/** What tabs tell each other. A tab of another version may say more: what is not understood is let pass. */
export type TabMessage =
  /** To the leader: bring this scope, or all, up to date. */
  | { type: 'refresh'; scope: string | null }
  /** From the leader: it has heard that, and is at work. */
  | { type: 'heard'; scope: string | null }
  /** To all: the scope's row has changed, or it was removed. */
  | { type: 'changed'; scope: string }
  | { type: 'run'; scope: string; isRunning: boolean; problem: string | null };

function isTabMessage(data: unknown): data is TabMessage {
  return typeof data === 'object' && data !== null && 'type' in data && 'scope' in data;
}

/** The way to the other tabs; `hear` gets their messages. Does nothing where the browser has no channels. */
export function openTabChannel(onMessage: (message: TabMessage) => void): (message: TabMessage) => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(CHANNEL_NAME);
  channel.addEventListener('message', ({ data }) => {
    if (isTabMessage(data)) onMessage(data);
  });
  return (message) => channel.postMessage(message);
}
