/**
 * Runs `work` under a Web Lock that the tabs of the app and the service worker share, one holder at a time. A browser
 * without Web Locks (plain http) runs it at once: the server accepts the same request twice.
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return locks ? locks.request(name, work) : work();
}
