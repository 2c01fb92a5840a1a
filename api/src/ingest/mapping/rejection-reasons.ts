import type { MappingPreview } from '@nivida/contract/desk/mapping';
import type { Rejection } from '../source-tender.ts';

const MAX_REASONS = 50;

/** Reasons of rejected rows, each with its number of rows and one example. */
export class RejectionReasons {
  private readonly reasons = new Map<string, MappingPreview['rejections'][number]>();

  add({ line, column, value, reason }: Rejection): void {
    const key = `${column}\u0000${reason}`;
    const found = this.reasons.get(key);
    if (found) found.count++;
    else this.reasons.set(key, { column, reason, count: 1, line, value });
  }

  /** The most frequent first. */
  list(): MappingPreview['rejections'] {
    return [...this.reasons.values()].sort((one, other) => other.count - one.count).slice(0, MAX_REASONS);
  }
}
