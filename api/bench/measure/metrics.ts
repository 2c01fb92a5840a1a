/** Prints a benchmark's figures to stdout, one per line; the log goes to stderr. */

/** Whether a limit is a minimum ('least') or a maximum ('most'). */
type Bound = 'least' | 'most';

/** The figures of one benchmark. */
export class BenchmarkMetrics {
  private first: { value: number; limit: number } | undefined;
  /** The smallest ratio of a figure to its limit: at 1 or more every limit is met. */
  private worst = Number.POSITIVE_INFINITY;
  private missed = false;

  constructor(private readonly name: string) {}

  /** A figure without a limit: `NAME.metric VALUE`. */
  record(metric: string, value: number): void {
    process.stdout.write(`${this.name}.${metric} ${formatValue(value)}\n`);
  }

  /** A figure with a limit: `NAME.metric VALUE (limit L) ok|missed`. */
  check(metric: string, value: number, bound: Bound, limit: number): void {
    // NaN misses every limit.
    const holds = bound === 'least' ? value >= limit : value <= limit;
    this.first ??= { value, limit };
    const ratio = bound === 'least' ? value / limit : limit / value;
    // 0 meets the limit 0.
    this.worst = Math.min(this.worst, value === limit ? 1 : ratio);
    this.missed ||= !holds;
    process.stdout.write(`${this.name}.${metric} ${formatValue(value)} (limit ${limit}) ${holds ? 'ok' : 'missed'}\n`);
  }

  /**
   * Prints the last line, `NAME ratio R (limit L)`: the first figure, or without one the benchmark's worst ratio of value
   * to limit. Sets exit code 1 if any figure missed its limit.
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

/** The median; of two middle values the upper one. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// Further digits differ from run to run.
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
