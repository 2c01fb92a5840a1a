const queues = new Map<string, Promise<unknown>>();

/** The lock of this page alone, for browsers and addresses without Web Locks. */
function queueInPage<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = queues.get(name);
  const result = before ? before.then(work) : work();
  const done = result
    .catch(() => undefined)
    .then(() => {
      if (queues.get(name) === done) queues.delete(name);
    });
  queues.set(name, done);
  return result;
}

/**
 * Runs `work` under a lock, one holder at a time. With Web Locks the tabs of the app and the service worker share
 * it. Without them (plain http, old browsers) it holds in this page, and the server accepts the same request twice.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return locks ? locks.request(name, work) : queueInPage(name, work);
}
