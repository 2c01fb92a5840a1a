/** A benchmark's figures on stdout, one line each; the log goes to stderr. */

/** Whether a figure may not be under its limit ('least') or not over it ('most'). */
type Bound = 'least' | 'most';

/** The figures of one benchmark. */
export class BenchmarkMetrics {
  private first: { value: number; limit: number } | undefined;
  /** The smallest ratio of a figure to its limit: 1 or more means that every limit holds. */
  private worst = Number.POSITIVE_INFINITY;
  private missed = false;

  constructor(private readonly name: string) {}

  /** A figure without a limit: `NAME.metric VALUE`. */
  record(metric: string, value: number): void {
    process.stdout.write(`${this.name}.${metric} ${formatValue(value)}\n`);
  }

  /** A figure that must hold: `NAME.metric VALUE (limit L) ok|missed`. */
  check(metric: string, value: number, bound: Bound, limit: number): void {
    // NaN misses every limit.
    const holds = bound === 'least' ? value >= limit : value <= limit;
    this.first ??= { value, limit };
    const ratio = bound === 'least' ? value / limit : limit / value;
    // 0 with the limit 0 just holds.
    this.worst = Math.min(this.worst, value === limit ? 1 : ratio);
    this.missed ||= !holds;
    process.stdout.write(`${this.name}.${metric} ${formatValue(value)} (limit ${limit}) ${holds ? 'ok' : 'missed'}\n`);
  }

  /**
   * Prints the last line, `NAME ratio R (limit L)`: the first figure, or where none is the benchmark's own ratio the
   * worst of value to limit. Sets exit code 1 if any figure missed its limit.
   */
  finish(last: 'first' | 'worst' = 'first'): void {
    if (!this.first) throw new Error('no figure was measured');
    const { value, limit } = last === 'first' ? this.first : { value: this.worst, limit: 1 };
    process.stdout.write(`${this.name} ratio ${formatValue(value)} (limit ${limit})\n`);
    if (this.missed) process.exitCode = 1;
  }
}

/** Writes a progress line to stderr. */
export function log(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The middle value, the upper one of two. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// Three digits say all that a repeated run would say again.
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
