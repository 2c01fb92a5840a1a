import { expect, test } from 'vitest';
import { jobIntervalSeconds, recordJobRun } from './job-runs.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

/** Runs a job; returns its result, the stored record and the reported outcome. */
async function runJob(run: () => Promise<number>, store: (values: unknown[]) => Promise<unknown> = async () => {}) {
  const records: unknown[][] = [];
  const outcomes: string[] = [];
  const database = {
    query: (_text: string, values: unknown[] = []) => {
      records.push(values);
      return store(values);
    },
  };
  const options = { job: 'documents', everySeconds: 60, now: () => NOW };
  const onEnd = ({ outcome }: { outcome: string }) => void outcomes.push(outcome);
  const result = await recordJobRun(database, { ...options, onEnd }, run).catch((error: Error) => error.message);
  const [[job, everySeconds, startedAt, , succeededAt, items, error] = []] = records;
  return { result, record: { job, everySeconds, startedAt, succeededAt, items, error }, outcomes };
}

test('the record of a job that succeeded has the number of its actions and no error', async () => {
  expect(await runJob(async () => 7)).toEqual({
    result: 7,
    record: { job: 'documents', everySeconds: 60, startedAt: NOW, succeededAt: NOW, items: 7, error: null },
    outcomes: ['succeeded'],
  });
});

test.each([
  ['The portal does not answer\n    at fetch (feed.ts:1)', 'The portal does not answer'],
  ['', 'failed without a message'],
  ['x'.repeat(400), 'x'.repeat(300)],
])('the record of a job that failed has the first line of the error: %#', async (message, error) => {
  const failed = await runJob(() => Promise.reject(new Error(message)));
  expect(failed).toEqual({
    result: message,
    record: { job: 'documents', everySeconds: 60, startedAt: NOW, succeededAt: null, items: null, error },
    outcomes: ['failed'],
  });
});

test('the record of a failed job has neither passwords nor tokens nor addresses', async () => {
  const message = `connect postgresql://nivida:quiet-river@db/nivida failed for asha@builders.example, token=${'k'.repeat(43)}`;
  const { record } = await runJob(() => Promise.reject(new Error(message)));
  expect(record.error).toMatch(/^connect /);
  expect(record.error).not.toMatch(/quiet-river|asha@|k{43}/);
});

test('a record that cannot be written does not change the outcome of the job', async () => {
  const refuse = () => Promise.reject(new Error('The database does not answer'));
  expect((await runJob(async () => 3, refuse)).result).toBe(3);
  expect((await runJob(() => Promise.reject(new Error('no network')), refuse)).result).toBe('no network');
});

test.each([
  [{ everySeconds: 20 }, 20],
  [{ cron: '* * * * *' }, 60],
  [{ cron: '*/10 * * * *' }, 600],
  [{ cron: '17 * * * *' }, 3_600],
  [{ cron: '30 2 * * *' }, 86_400],
])('a job of %j runs each %d seconds', (schedule, seconds) => {
  expect(jobIntervalSeconds(schedule)).toBe(seconds);
});
