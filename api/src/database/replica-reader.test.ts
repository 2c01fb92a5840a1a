import { setImmediate as turn } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReplicaReader } from './replica-reader.ts';
import { IS_REPLICA_BEHIND, REPLICA_LAG } from './server.sql.ts';

type Answer = object[] | Error;

/** A server that answers reads, checks of its state and questions for its lag; `asked` are the reads. */
class Server {
  reads: Answer = [];
  state: Answer = [{ behind: false }];
  lag: Answer = [{ seconds: 7 }];
  readonly asked: unknown[] = [];
  checks = 0;

  readonly pool = {
    query: async (statement: unknown) => {
      if (statement === IS_REPLICA_BEHIND) this.checks += 1;
      else if (statement !== REPLICA_LAG) this.asked.push(statement);
      const answer = statement === IS_REPLICA_BEHIND ? this.state : statement === REPLICA_LAG ? this.lag : this.reads;
      if (answer instanceof Error) throw answer;
      return { rows: answer };
    },
  } as unknown as Pool;
}

const error = (code: string) => Object.assign(new DatabaseError(`error ${code}`, 0, 'error'), { code });
const LOST = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const STATEMENT = { text: 'SELECT title FROM tender' };

let primary: Server;
let replica: Server;
let reader: ReplicaReader;
let ms: number;

beforeEach(() => {
  ms = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => ms);
  [primary, replica] = [new Server(), new Server()];
  primary.reads = [{ of: 'primary' }];
  replica.reads = [{ of: 'replica' }];
  reader = readerOf(replica);
});
afterEach(() => vi.restoreAllMocks());

function readerOf(...replicas: Server[]): ReplicaReader {
  const pools = replicas.map(({ pool }) => pool);
  return new ReplicaReader(primary.pool, pools, pools);
}

const read = async () => (await reader.query<{ of: string }>(STATEMENT)).rows[0]?.of;
/** The state after the check that a call may have begun. */
async function stateAfterCheck(): Promise<unknown> {
  await reader.replicaState();
  await turn();
  return reader.replicaState();
}
const find = async () => (await reader.find<{ of: string }>(STATEMENT))?.of;

test('without a replica the primary is read, and there is no state and no lag', async () => {
  reader = readerOf();
  expect([await read(), await find()]).toEqual(['primary', 'primary']);
  primary.reads = [];
  expect(await find()).toBeUndefined();
  // A row that is missing is looked up once.
  expect(primary.asked).toHaveLength(3);
  expect([await reader.replicaState(), await reader.replicaLags()]).toEqual([undefined, []]);
  primary.reads = error('57P01');
  await expect(read()).rejects.toThrow('error 57P01');
});

test('a replica that is in step is read, with the statement of the caller', async () => {
  expect(await read()).toBe('replica');
  expect([replica.asked, primary.asked]).toEqual([[STATEMENT], []]);
});

test('a replica that is behind or down is not read while the primary answers', async () => {
  replica.state = [{ behind: true }];
  expect([await reader.replicaState(), await read()]).toEqual(['behind', 'primary']);
  ms += 5_001;
  replica.state = LOST;
  expect(await stateAfterCheck()).toBe('down');
  expect(await read()).toBe('primary');
  expect(replica.asked).toEqual([]);
  // Old tenders are better than none.
  primary.reads = LOST;
  expect(await read()).toBe('replica');
});

test.each(['08006', '53300', '57P01', '40001', '3D000', '42P01', '42703', '42883'])(
  'a read that the replica cannot answer now (%s) is answered by the primary, and so are the next ones',
  async (code) => {
    replica.reads = error(code);
    expect(await read()).toBe('primary');
    expect(await reader.replicaState()).toBe('down');
    replica.reads = [{ of: 'replica' }];
    expect(await read()).toBe('primary');
    ms += 5_001;
    expect(await stateAfterCheck()).toBe('ok');
    expect(await read()).toBe('replica');
  },
);

test('a lost connection to the replica is answered by the primary', async () => {
  replica.reads = LOST;
  expect(await read()).toBe('primary');
});

test('a replica whose connections are all in use is not down, and is checked at once', async () => {
  replica.reads = new Error('timeout exceeded when trying to connect');
  expect(await read()).toBe('primary');
  expect([await stateAfterCheck(), replica.checks]).toEqual(['ok', 2]);
});

test.each(['57014', '22P02', '23505'])('an error of the statement itself (%s) is that of the caller', async (code) => {
  replica.reads = error(code);
  await expect(read()).rejects.toThrow(`error ${code}`);
  expect([primary.asked, await reader.replicaState()]).toEqual([[], 'ok']);
});

test('if both are unavailable the caller gets the second error, and the failed primary does not change the state of the replica', async () => {
  [primary.reads, replica.reads] = [error('57P01'), LOST];
  await expect(read()).rejects.toThrow('error 57P01');
  replica.state = [{ behind: true }];
  ms += 5_001;
  expect(await stateAfterCheck()).toBe('behind');
  replica.reads = [{ of: 'replica' }];
  expect(await read()).toBe('replica');
  expect(await reader.replicaState()).toBe('behind');
});

test('a row that the replica lacks is looked up in the primary', async () => {
  expect(await find()).toBe('replica');
  expect(primary.asked).toEqual([]);
  replica.reads = [];
  expect(await find()).toBe('primary');
  expect(primary.asked).toEqual([STATEMENT]);
  primary.reads = [];
  expect(await find()).toBeUndefined();
  primary.reads = LOST;
  expect(await find()).toBeUndefined();
  primary.reads = error('22P02');
  await expect(find()).rejects.toThrow('error 22P02');
});

test('the state is checked every five seconds, once for all callers, and only the first call waits', async () => {
  expect(await Promise.all([reader.replicaState(), reader.replicaState(), read()])).toEqual(['ok', 'ok', 'replica']);
  ms += 5_000;
  await read();
  expect(replica.checks).toBe(1);
  ms += 1;
  replica.state = LOST;
  expect(await Promise.all([reader.replicaState(), reader.replicaState()])).toEqual(['ok', 'ok']);
  expect(await stateAfterCheck()).toBe('down');
  expect(replica.checks).toBe(2);
});

test('the lags are in seconds, and null for a replica that does not answer', async () => {
  const other = new Server();
  reader = readerOf(replica, other);
  expect(await reader.replicaLags()).toEqual([7, 7]);
  replica.lag = [];
  other.lag = LOST;
  expect(await reader.replicaLags()).toEqual([0, null]);
});

test('several replicas take turns; while one is down or behind the others answer, and the primary after all of them', async () => {
  const [second, third] = [new Server(), new Server()];
  second.reads = [{ of: 'second' }];
  third.reads = [{ of: 'third' }];
  third.state = [{ behind: true }];
  reader = readerOf(replica, second, third);
  expect([await read(), await read(), await read(), await read()]).toEqual(['replica', 'second', 'replica', 'second']);
  replica.reads = LOST;
  expect([await read(), await read(), await read()]).toEqual(['second', 'second', 'second']);
  // One of them is enough for reading.
  expect(await reader.replicaState()).toBe('ok');
  second.reads = LOST;
  expect(await read()).toBe('primary');
  expect(await reader.replicaState()).toBe('behind');
  primary.reads = LOST;
  expect(await read()).toBe('third');
});
