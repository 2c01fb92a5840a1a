/** The files of docker/monitoring: rules, dashboard and scrape configuration fit the metrics and the runbook. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STATE_METRICS } from '../../src/http/monitoring/state-metrics.sql.ts';
import { hasPromtool, runPromtool } from '../support/test-machine.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'docker/monitoring');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const alerts = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);

/** Names of the metrics that the server registers. */
function metricNames(): Set<string> {
  const source = readFileSync(join(ROOT, 'api/src/http/monitoring/metrics.ts'), 'utf8');
  const own = [...source.matchAll(/new (\w+)\(\{\s+name: '(nivida_\w+)'/g)].flatMap(([, type, name = '']) =>
    type === 'Histogram' ? ['_bucket', '_count', '_sum'].map((suffix) => name + suffix) : [name],
  );
  return new Set([...own, ...STATE_METRICS.map(({ name }) => name)]);
}

test.each(['alerts.yml', 'alerts.test.yml', 'dashboard.json'])('%s names only metrics that exist', (file) => {
  const known = metricNames();
  const named = new Set([...read(file).matchAll(/\bnivida_\w+/g)].map(([name]) => name));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
});

test('every alert has one line in the runbook, and the runbook has no other', () => {
  const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
  const [, section = ''] = /\n## Alerts\n(.*?)(?=\n## |$)/s.exec(runbook) ?? [];
  const lines = [...section.matchAll(/^\| `(\w+)` \| .{20,} \|$/gm)].map(([, name]) => name);
  expect(lines).toEqual(alerts);
});

test('every alert has a case in which it fires and one in which it does not', () => {
  const cases = [...read('alerts.test.yml').matchAll(/alertname: (\w+)\n.*\n +exp_alerts:( \[\])?/g)];
  const count = (quiet: boolean) =>
    alerts.filter((alert) => !cases.some(([, name, none]) => name === alert && (none !== undefined) === quiet));
  expect(count(false)).toEqual([]);
  expect(count(true)).toEqual([]);
});

test('every panel of the dashboard has a title, a place of its own and a query', () => {
  const { panels } = JSON.parse(read('dashboard.json'));
  const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x},${y}`);
  expect(new Set(places).size).toBe(panels.length);
  for (const { title, targets } of panels) {
    expect(title).toMatch(/^[A-Z]/);
    expect(targets[0].expr).toMatch(/^\w/);
  }
});

describe.skipIf(!hasPromtool())('promtool', () => {
  test('accepts rules, their cases and the scrape configuration (needs promtool)', () => {
    const fails = [
      ['check', 'rules', join(FOLDER, 'alerts.yml')],
      ['test', 'rules', join(FOLDER, 'alerts.test.yml')],
      ['check', 'config', '--syntax-only', join(FOLDER, 'prometheus.yml')],
    ]
      .map((args) => runPromtool(args))
      .filter(({ status }) => status !== 0);
    expect(fails).toEqual([]);
  });
});
