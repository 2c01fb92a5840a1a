/**
 * Runs `work` under a Web Lock, one holder at a time. The tabs of the app and the service worker share the
 * lock. Without Web Locks (plain http) `work` runs at once; the server accepts the same request twice.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return locks ? locks.request(name, work) : work();
}
