/** Rate limit counters of this process. They use the monotonic clock; the library's store uses the date, which can be set back. */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** The same as in the library's store. */
const MAX_KEYS = 5_000;

interface Counter {
  current: number;
  startedMs: number;
}

/** Counters by key. Above MAX_KEYS the key that was counted longest ago is removed. */
export class RateLimitStore implements FastifyRateLimitStore {
  private readonly counters = new Map<string, Counter>();

  incr(
    key: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow = 60_000,
  ): void {
    const now = performance.now();
    const existing = this.counters.get(key);
    const isAlive = existing !== undefined && existing.startedMs + timeWindow > now;
    const counter = isAlive ? { ...existing, current: existing.current + 1 } : { current: 1, startedMs: now };
    this.counters.delete(key);
    this.counters.set(key, counter);
    if (this.counters.size > MAX_KEYS) this.counters.delete(this.counters.keys().next().value ?? '');
    done(null, { current: counter.current, ttl: timeWindow - (now - counter.startedMs) });
  }

  child(): RateLimitStore {
    return new RateLimitStore();
  }
}
