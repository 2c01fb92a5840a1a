/** The real data beside the project, which is no part of it: its tests run wherever the folder is. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

const SHARED = resolve(import.meta.dirname, '../../../shared');

export const SHARED_DATA = resolve(SHARED, 'data');

/** A `describe` that is skipped without the folder. The reason is in its name, from which the totals take it (.ci/skipped.js). */
export function describeWithData(name: string, tests: () => void): void {
  describe.skipIf(!existsSync(SHARED))(`${name} (needs ../shared)`, tests);
}
