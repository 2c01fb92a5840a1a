import { MINUTE_MS } from '@nivida/contract/time';

const MAX_FAILURES = 2;
const OPEN_MS = MINUTE_MS;

/**
 * Whether new checkouts may go to a provider. Two failures in a row close the way for a minute; then one call tries it again.
 * Each process counts for itself.
 */
export class CircuitBreaker {
  private failures = 0;
  private openedAt: Date | undefined;
  private isTrying = false;

  /** Whether a call may be made now. After the minute it may, until one has begun. */
  allows(now: Date): boolean {
    if (this.openedAt === undefined) return true;
    const age = now.getTime() - this.openedAt.getTime();
    // A clock that was set back does not keep the way closed.
    return !this.isTrying && (age >= OPEN_MS || age < 0);
  }

  /** Makes a call and notes whether it failed; `isFailure` decides which errors count. */
  async run<T>(call: () => Promise<T>, isFailure: (error: unknown) => boolean, now: () => Date): Promise<T> {
    const isTrial = this.openedAt !== undefined;
    if (isTrial) this.isTrying = true;
    try {
      const result = await call();
      this.failures = 0;
      this.openedAt = undefined;
      return result;
    } catch (error) {
      if (isFailure(error)) {
        this.failures += 1;
        if (this.failures >= MAX_FAILURES) this.openedAt = now();
      } else {
        // The provider has answered.
        this.failures = 0;
        this.openedAt = undefined;
      }
      throw error;
    } finally {
      if (isTrial) this.isTrying = false;
    }
  }
}
