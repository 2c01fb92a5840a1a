/** One tab does the syncing; the others tell it what they want and hear from it what has changed. */
import type { DeviceDatabase } from '../../../data/db.ts';

const LOCK = 'nivida-sync';
const CHANNEL = 'nivida-packs';
/** Without locks: how long another tab is believed to be at work after its last step. */
const LEASE_MS = 30_000;

/** Calls `then` when this tab has become the one that syncs, which it stays until it is closed. */
export function whenLeading(then: () => void): void {
  if (!navigator.locks) {
    // every tab syncs; `claim` keeps two from fetching the same at once
    then();
    return;
  }
  // Held for ever: a lock that is given back and asked for again is a race between two tabs.
  void navigator.locks
    .request(LOCK, () => {
      then();
      return new Promise(() => undefined);
    })
    .catch(() => undefined);
}

const leaseOf = (scope: string) => `sync ${scope}`;

/**
 * Claims a scope for this tab until 30 seconds after `now` (milliseconds since 1970): false when another tab has it.
 * `mine` is the time at which this tab claimed it before, or null. Returns the new one.
 */
export async function claim(
  db: DeviceDatabase,
  scope: string,
  now: number,
  mine: number | null,
): Promise<number | false> {
  return db.transaction('rw', db.settings, async () => {
    const held = (await db.settings.get(leaseOf(scope)))?.value;
    const age = typeof held === 'number' ? now - held : LEASE_MS;
    // a claim from the future is a device's clock that was put back
    if (held !== mine && age >= 0 && age < LEASE_MS) return false;
    await db.settings.put({ key: leaseOf(scope), value: now });
    return now;
  });
}

/** Gives a claimed scope back. */
export async function release(db: DeviceDatabase, scope: string): Promise<void> {
  await db.settings.delete(leaseOf(scope));
}

/** What tabs tell each other. A tab of another version may say more: what is not understood is let pass. */
export type Message =
  /** To the leader: bring this scope, or all, up to date. */
  | { type: 'refresh'; scope: string | null }
  /** To all: the scope's row has changed, or it was removed. */
  | { type: 'changed'; scope: string }
  | { type: 'run'; scope: string; isRunning: boolean; problem: string | null };

function isMessage(data: unknown): data is Message {
  return typeof data === 'object' && data !== null && 'type' in data && 'scope' in data;
}

/** The way to the other tabs; `hear` gets their messages. Does nothing where the browser has no channels. */
export function openChannel(hear: (message: Message) => void): (message: Message) => void {
  if (typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => {
    if (isMessage(data)) hear(data);
  });
  return (message) => channel.postMessage(message);
}
