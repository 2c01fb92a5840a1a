/** Tender lists and tenders from the server, the last answers kept. */
import { type Tender, TenderAnswer, TenderList } from '@nivida/contract/tender';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';
import { api } from './api.ts';

const ask = (query: string) => api.get('api/tenders', { searchParams: query }).json(TenderList);
const lists = keepAnswers(ask);
/** By their queries, one a line; all of them or none. */
const several = keepAnswers((queries) => Promise.all(queries.split('\n').map(ask)));

const tenders = keepAnswers(async (id) => {
  const { tender } = await api.get(`api/tenders/${encodeURIComponent(id)}`).json(TenderAnswer);
  return tender;
});

/** One page of tenders; `query` is the query string of `GET /api/tenders`, null asks nothing. */
export function useTenderList(query: string | null): Shown<TenderList> {
  return useAnswer(lists, query);
}

/** The answers to several such queries, in their order; null asks nothing. */
export function useTenderLists(queries: readonly string[] | null): Shown<TenderList[]> {
  return useAnswer(several, queries?.join('\n') ?? null);
}

/** One tender by its id. */
export function useTender(id: string): Shown<Tender> {
  return useAnswer(tenders, id);
}
