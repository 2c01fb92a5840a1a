/** Prints a benchmark's figures to stdout, one per line; the log goes to stderr. */
import { setTimeout as wait } from 'node:timers/promises';

const MAX_WAIT_MS = 180_000;

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

/** Runs the parts of a benchmark that `PARTS` names, separated by commas; all of them without it. */
export async function runParts(parts: Record<string, () => Promise<void>>): Promise<void> {
  const names = process.env.PARTS?.split(',') ?? Object.keys(parts);
  for (const [name, part] of Object.entries(parts)) if (names.includes(name)) await part();
}

/** Waits until `isSo`. Throws after three minutes. */
export async function waitUntil(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = Date.now() + MAX_WAIT_MS; Date.now() < deadline; await wait(250)) if (await isSo()) return;
  throw new Error(`not so within ${MAX_WAIT_MS / 1_000} seconds: ${isSo}`);
}

/** The value below which a share of the values lies; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

/** The median; of two middle values the upper one. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// Further digits differ from run to run.
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
