/**
 * `release`: the tests that only a release needs, tagged `release` or in files `*.release.test.ts` and `*.release.spec.ts`:
 * processes killed while they settle orders, servers on an embedded database that is killed or moved, 425 searches on server
 * and device, journeys in Firefox, the messages of forms, and the accessibility of every screen in four looks. Tests tagged
 * `larger` read `RELEASE_TESTS` and check more. All journeys, also those of `npm test`, run in two wider fonts.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { BenchmarkMetrics } from './measure/metrics.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const JOURNEYS = ['run', '-s', 'test', '-w', '@nivida/e2e'];
const WIDER_FONTS = ['Noto Sans', 'DejaVu Sans'];

const figures = new BenchmarkMetrics('release');
for (const [name, args, env] of [
  [
    'processes_failed',
    ['exec', 'vitest', '--', 'run', '--project', 'api', '--tags-filter=release or larger'],
    { RELEASE_TESTS: '1' },
  ],
  ['journeys_failed', JOURNEYS, { RELEASE_TESTS: '1' }],
  ...WIDER_FONTS.flatMap((font) => [
    [`journeys_failed_in_${font}`, JOURNEYS, { E2E_FONT: font }] as const,
    [`release_journeys_failed_in_${font}`, JOURNEYS, { RELEASE_TESTS: '1', E2E_FONT: font }] as const,
  ]),
] as const) {
  const { status } = spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } });
  figures.check(name.replaceAll(' ', '_').toLowerCase(), status === 0 ? 0 : 1, 'most', 0);
}
figures.finish('worst');
