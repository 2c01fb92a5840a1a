/** A benchmark's results on stdout, one line a figure, as they come; all else that is said goes to stderr. */

/** Whether a figure may not be under its limit ('least') or not over it ('most'). */
type Bound = 'least' | 'most';

/** The figures of one benchmark. */
export class BenchmarkMetrics {
  private first: { value: number; limit: number } | undefined;
  /** How well the limit that is held worst is held: 1 or more means that all are. */
  private worst = Number.POSITIVE_INFINITY;
  private missed = false;

  constructor(private readonly name: string) {}

  /** A figure without a limit: `NAME.metric VALUE`. */
  record(metric: string, value: number): void {
    process.stdout.write(`${this.name}.${metric} ${formatValue(value)}\n`);
  }

  /** A figure that must hold: `NAME.metric VALUE (limit L) ok|missed`. */
  check(metric: string, value: number, bound: Bound, limit: number): void {
    // What is no number holds nothing.
    const holds = bound === 'least' ? value >= limit : value <= limit;
    this.first ??= { value, limit };
    const ratio = bound === 'least' ? value / limit : limit / value;
    // Nothing of what must be nothing is just held.
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

/** Tells whoever waits what is being done. */
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
