/** All queues of single jobs. Recurring jobs are declared by the modules of their features. */
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';
import type { PgBoss, Queue } from 'pg-boss';

/** Retention and retries of each queue; times in seconds. */
export const QUEUES = {
  mail: {
    // 10 s, 20 s, 40 s … 30 minutes: about four hours in total.
    retryLimit: 14,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 30 * MINUTE_SECONDS,
    expireInSeconds: 5 * MINUTE_SECONDS,
    // The heartbeat detects a killed worker; the expiry, one that hangs.
    heartbeatSeconds: 15,
    retentionSeconds: DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  },
  'build-packs': {
    policy: 'exclusive',
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    // The pack of all India with 10,000,000 tenders takes many minutes. The heartbeat detects a killed worker.
    expireInSeconds: 6 * HOUR_SECONDS,
    heartbeatSeconds: 30,
    retentionSeconds: DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  },
  'import-files': {
    retryLimit: 2,
    retryDelay: 10,
    expireInSeconds: 6 * HOUR_SECONDS,
    heartbeatSeconds: 30,
    retentionSeconds: DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  },
} as const satisfies Record<string, Omit<Queue, 'name'>>;

export type QueueName = keyof typeof QUEUES;

/** Creates missing queues. Several processes may do so at once. */
export async function createQueues(boss: PgBoss): Promise<void> {
  for (const [name, { policy, ...options }] of Object.entries<Omit<Queue, 'name'>>(QUEUES)) {
    await boss.createQueue(name, { ...options, ...(policy && { policy }) });
    // Updates the options of a queue that an earlier version created.
    await boss.updateQueue(name, options);
  }
}
