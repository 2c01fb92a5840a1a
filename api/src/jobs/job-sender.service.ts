import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Db, PgBoss } from 'pg-boss';
import { DataSource, type EntityManager } from 'typeorm';
import { currentOrigin } from '../base/call-context.ts';
import { createQueues, QUEUES, type QueueName } from './queues.ts';

/** An id without a job. Cancelling it changes nothing, but makes pg-boss read and cache the queue. */
const UNUSED_JOB_ID = '00000000-0000-0000-0000-000000000000';

/** Adds jobs to queues. It runs none, so processes without a worker use it too. */
@Injectable()
export class JobSenderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly boss: PgBoss;
  private isStopping = false;

  constructor(dataSource: DataSource) {
    const logger = new Logger('Jobs');
    this.boss = new PgBoss({ db: toPoolExecutor(dataSource), supervise: false, schedule: false });
    this.boss.on('error', (error) => this.isStopping || logger.error(error));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.boss.start();
    await createQueues(this.boss);
    // Caches the queues now. Inside a transaction pg-boss would need a second connection to read them.
    for (const name of Object.keys(QUEUES)) await this.boss.cancel(name, UNUSED_JOB_ID);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.boss.stop({ graceful: false });
  }

  /**
   * Adds a job in the transaction of `manager`, with the request that causes it. Jobs with a higher `priority` run first. A queue with the policy
   * `exclusive` takes no second job with a `singletonKey` while the first waits or runs. `startAfter` is in seconds.
   */
  async send(
    manager: EntityManager,
    queue: QueueName,
    job: object,
    options: { priority?: number; singletonKey?: string; startAfter?: number } = {},
  ): Promise<void> {
    const origin = currentOrigin();
    await this.boss.send(queue, { ...job, ...(origin && { origin }) }, { db: toExecutor(manager), ...options });
  }
}

/** Runs statements of pg-boss in a transaction of TypeORM. */
function toExecutor(runner: Pick<EntityManager, 'query'>): Db {
  return {
    async executeSql(text, values) {
      const answer = await runner.query(text, values);
      // TypeORM returns rows, or [rows, count] for UPDATE and DELETE.
      const isCounted = Array.isArray(answer) && Array.isArray(answer[0]) && typeof answer[1] === 'number';
      return { rows: isCounted ? answer[0] : (answer ?? []) };
    },
  };
}

/** Runs statements of pg-boss on a connection of the pool. */
function toPoolExecutor(dataSource: DataSource): Db {
  return {
    async executeSql(text, values) {
      const runner = dataSource.createQueryRunner();
      try {
        return await toExecutor(runner).executeSql(text, values);
      } catch (error) {
        // Some statements begin a transaction, which must end before the connection is used again. If the connection is lost,
        // the rollback fails too; the first error is reported.
        await runner.query('ROLLBACK').catch(() => {});
        throw error;
      } finally {
        await runner.release();
      }
    },
  };
}
