/** What the machine of the tests may lack: the real data beside the project, and promtool. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from 'vitest';

const SHARED = resolve(import.meta.dirname, '../../../../shared');

export const SHARED_DATA = resolve(SHARED, 'data');

/** A `describe` that is skipped without the folder. Its name contains the reason for the totals (.ci/skipped.js). */
export function describeWithData(name: string, tests: () => void): void {
  describe.skipIf(!existsSync(SHARED))(`${name} (needs ../shared)`, tests);
}

/** Whether promtool of Prometheus is installed. */
export const hasPromtool = (): boolean => spawnSync('promtool', ['--version']).status === 0;

/** Exit code and all output of promtool. */
export function runPromtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}
