/** Counters of the rate limit in this process, by the monotonic clock. The library's own store goes by the date, which can be set back. */
import type { FastifyRateLimitStore } from '@fastify/rate-limit';

/** As many as the library keeps; the least recently counted one goes first. */
const MAX_KEYS = 5_000;

interface Counter {
  current: number;
  startedMs: number;
}

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
