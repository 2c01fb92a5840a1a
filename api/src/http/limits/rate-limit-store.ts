/** Rate limit counters of this process, by the monotonic clock. The library's own store uses the date, which can be set back. */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** The library's own limit. The least recently counted key is removed first. */
const MAX_KEYS = 5_000;

interface Counter {
  current: number;
  startedMs: number;
}

/** Counters by key; above the limit of keys the one counted longest ago is removed. */
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
