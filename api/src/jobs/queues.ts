/** Every queue of single jobs, which features fill and workers empty. Recurring jobs are in schedule.ts. */
import type { PgBoss, Queue } from 'pg-boss';

const MINUTE = 60;
const DAY = 86_400;

/** How each queue keeps and retries its jobs; times in seconds. */
export const QUEUES = {
  mail: {
    // 10 s, 20 s, 40 s … half an hour: together about four hours.
    retryLimit: 14,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 30 * MINUTE,
    expireInSeconds: 5 * MINUTE,
    retentionSeconds: DAY,
    deleteAfterSeconds: DAY,
  },
} as const satisfies Record<string, Omit<Queue, 'name'>>;

export type QueueName = keyof typeof QUEUES;

/** Makes the queues that are missing. Any number of processes may do so at once. */
export async function createQueues(boss: PgBoss): Promise<void> {
  for (const [name, options] of Object.entries(QUEUES)) {
    await boss.createQueue(name, options);
    // An installation of an earlier version follows today's numbers.
    await boss.updateQueue(name, options);
  }
}
