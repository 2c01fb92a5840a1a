/** Values with a time to live; above `maxValues` the oldest is dropped. Concurrent callers share one load. */
export class TtlCache<T> {
  private readonly values = new Map<string, { at: number; value: Promise<T> }>();

  constructor(
    private readonly ttlMs: number,
    private readonly maxValues = Number.POSITIVE_INFINITY,
  ) {}

  /** The value of `key`, loaded when it is too old or with `isForced`. Failures are not cached. */
  get(key: string, now: Date, load: () => Promise<T>, isForced = false): Promise<T> {
    const at = now.getTime();
    const cached = this.values.get(key);
    if (cached && !isForced && Math.abs(at - cached.at) < this.ttlMs) return cached.value;
    // Removes expired keys, which would otherwise stay forever.
    for (const [other, { at: since }] of this.values) if (Math.abs(at - since) >= this.ttlMs) this.values.delete(other);
    const value = load();
    this.values.delete(key);
    this.values.set(key, { at, value });
    if (this.values.size > this.maxValues) this.values.delete(this.values.keys().next().value ?? '');
    value.catch(() => this.values.delete(key));
    return value;
  }
}
