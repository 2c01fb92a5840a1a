/** The totals that .ci/run prints at its end. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const SUMMARY = join(import.meta.dirname, '../../../.ci/summary.js');

function summary(reports: Record<string, unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'nivida-summary-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, report] of Object.entries(reports))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
  const { status, stdout, stderr } = spawnSync(process.execPath, [SUMMARY, folder], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const file = (...assertionResults: { status: string; fullName: string }[]) => ({ status: 'passed', assertionResults });
const skippedTest = (fullName: string) => ({ status: 'skipped', fullName });
const playwright = { stats: { expected: 3, unexpected: 0, skipped: 0 }, errors: [] };

test('the totals of a run without skipped tests are passed and failed tests', () => {
  const vitest = { numPassedTests: 2, numFailedTests: 1, testResults: [file({ status: 'passed', fullName: 'a' })] };
  expect(summary({ vitest, playwright })).toEqual({ status: 0, stdout: '5 passed, 1 failed\n', stderr: '' });
});

test('the totals contain the number of skipped tests and the reasons', () => {
  const vitest = {
    numPassedTests: 2,
    numFailedTests: 0,
    testResults: [
      file(skippedTest('the real tenders (needs ../shared) are read'), skippedTest('one of another day')),
      file(skippedTest('the real tenders (needs ../shared) are packed')),
    ],
  };
  const journeys = { ...playwright, stats: { ...playwright.stats, skipped: 1 } };
  expect(summary({ vitest, playwright: journeys })).toEqual({
    status: 0,
    stdout: '5 passed, 0 failed, 4 skipped (2 need ../shared, which is not here; 2 for another reason)\n',
    stderr: '',
  });
});

test('a test that only a release needs is not counted as skipped', () => {
  const release = { ...skippedTest('every migration (needs ../shared) is reverted'), tags: ['release'] };
  const vitest = { numPassedTests: 2, numFailedTests: 0, testResults: [file(release)] };
  expect(summary({ vitest, playwright }).stdout).toBe('5 passed, 0 failed\n');
});

test('a missing report ends with 1', () => {
  expect(summary({ playwright })).toEqual({
    status: 1,
    stdout: '3 passed, 0 failed\n',
    stderr: 'Vitest left no report\n',
  });
});
