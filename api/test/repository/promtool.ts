/** promtool of Prometheus, where it is installed. */
import { spawnSync } from 'node:child_process';

/** Whether promtool can be run. */
export const PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

/** Exit code and all output of promtool. */
export function runPromtool(args: string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}`.trim() };
}
