import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, DatabaseUnavailableError, useDatabaseState, withDatabase } from './database.ts';

afterEach(async () => {
  await closeDatabase();
  vi.restoreAllMocks();
});

const lost = (name: string) => Object.assign(new Error('lost'), { name });

test.each(['InvalidStateError', 'UnknownError', 'DatabaseClosedError'])(
  'after %s the database is opened anew and the work done once more',
  async (name) => {
    const seen: unknown[] = [];
    const answer = await withDatabase(async (db) => {
      seen.push(db);
      if (seen.length === 1) throw lost(name);
      return db.settings.count();
    });
    expect(answer).toBe(0);
    expect(seen).toHaveLength(2);
    expect(seen[0]).not.toBe(seen[1]);
  },
);

test('a connection that is lost again is not tried for ever', async () => {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw lost('UnknownError');
  };
  await expect(withDatabase(work)).rejects.toThrow('lost');
  expect(attempts).toBe(2);
});

test('an error of the work itself is not repeated', async () => {
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    throw new Error('wrong');
  };
  await expect(withDatabase(work)).rejects.toThrow('wrong');
  expect(attempts).toBe(1);
});

test('a browser that refuses the database is known as one that keeps nothing', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw lost('SecurityError');
  });
  await expect(withDatabase(async (db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(useDatabaseState.getState().state).toBe('unavailable');
  await expect(withDatabase(async (db) => db.settings.count())).rejects.toBeInstanceOf(DatabaseUnavailableError);
});
