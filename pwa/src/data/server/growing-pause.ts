/** The pause between attempts: it doubles with each failure, up to the longest. */
export class GrowingPause {
  /** The present pause in milliseconds. */
  ms: number;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {
    this.ms = firstMs;
  }

  /** After a failure. */
  grow(): void {
    this.ms = Math.min(2 * this.ms, this.maxMs);
  }

  /** After a success. */
  reset(): void {
    this.ms = this.firstMs;
  }
}
