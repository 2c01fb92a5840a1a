/** The pause between attempts. It doubles with each failure, up to a maximum. */
export class GrowingPause {
  /** The current pause in milliseconds. */
  ms: number;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {
    this.ms = firstMs;
  }

  /** Call after a failure. */
  grow(): void {
    this.ms = Math.min(2 * this.ms, this.maxMs);
  }

  /** Call after a success. */
  reset(): void {
    this.ms = this.firstMs;
  }
}
