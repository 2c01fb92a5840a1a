/**
 * Prints the totals of the last test run as `N passed, N failed`, and how many were skipped and why, from the reports that
 * Vitest and Playwright write when CI is set. A test that only a release needs is not counted. A test file that does not load,
 * or a server that does not start, counts as a failure. Exit code 1 if a report is missing. The folder of the reports may be
 * named as an argument.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSkipped } from './skipped.js';

const output = process.argv[2] ?? join(import.meta.dirname, '../e2e/output');

function readReport(name) {
  const file = join(output, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

const vitest = readReport('vitest.json');
const playwright = readReport('playwright.json');
let passed = 0;
let failed = 0;
const skipped = [];
if (vitest) {
  const unloaded = vitest.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  passed += vitest.numPassedTests;
  failed += vitest.numFailedTests + unloaded.length;
  for (const { assertionResults } of vitest.testResults)
    for (const { status, fullName, tags = [] } of assertionResults)
      if (status !== 'passed' && status !== 'failed' && !tags.includes('release')) skipped.push(fullName);
}
if (playwright) {
  passed += playwright.stats.expected;
  failed += playwright.stats.unexpected + playwright.errors.length;
  skipped.push(...Array(playwright.stats.skipped).fill('a journey'));
}
if (!vitest) console.error('Vitest left no report');
if (!playwright) console.error('Playwright left no report');
if (vitest || playwright)
  console.log([`${passed} passed`, `${failed} failed`, describeSkipped(skipped)].filter(Boolean).join(', '));
if (!vitest || !playwright) process.exitCode = 1;
