/** The real data beside the project. Its tests run where the folder exists. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

const SHARED = resolve(import.meta.dirname, '../../../../shared');

export const SHARED_DATA = resolve(SHARED, 'data');

/** A `describe` that is skipped without the folder. Its name contains the reason for the totals (.ci/skipped.js). */
export function describeWithData(name: string, tests: () => void): void {
  describe.skipIf(!existsSync(SHARED))(`${name} (needs ../shared)`, tests);
}
