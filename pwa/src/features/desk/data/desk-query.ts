/** The desk's lists and details, in memory only. After an act all of them on the screen are loaded again. */
import { useEffect } from 'react';
import type * as v from 'valibot';
import { create } from 'zustand';
import { createQueryCache, type QueryCache, type QueryResult, useQuery } from '../../../data/server/query-cache.ts';
import { useOwner } from '../../../data/session.ts';
import { readDeskAnswer } from './desk-call.ts';

/** Number of acts that were done in this tab. */
const useActCount = create(() => ({ count: 0 }));

/** Loads again what is on the screen. */
export const reloadDesk = (): void => useActCount.setState(({ count }) => ({ count: count + 1 }));

/** The answers of one kind of read, by user and path below `api/desk`. */
export const createDeskQuery = <S extends v.GenericSchema>(schema: S): QueryCache<v.InferOutput<S>> =>
  createQueryCache((key) => readDeskAnswer(key.slice(key.indexOf(' ') + 1), schema));

/** The answer at a path, for example `orders?find=abc`. Null makes no call. */
export function useDeskQuery<T>(cache: QueryCache<T>, path: string | null): QueryResult<T> {
  const owner = useOwner();
  const query = useQuery(cache, path === null || owner === '' ? null : `${owner} ${path}`);
  const { reload } = query;
  const count = useActCount((state) => state.count);
  useEffect(() => {
    // A colleague may have changed what was loaded a minute ago.
    if (count >= 0) reload();
  }, [count, reload]);
  return query;
}
