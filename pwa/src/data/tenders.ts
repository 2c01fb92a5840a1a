/** Tender lists and tenders from the server, the last answers kept. */
import { type Tender, TenderAnswer, TenderList } from '@nivida/contract/tender';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';
import { api } from './api.ts';

const lists = keepAnswers((query) => api.get('api/tenders', { searchParams: query }).json(TenderList));

const tenders = keepAnswers(async (id) => {
  const { tender } = await api.get(`api/tenders/${encodeURIComponent(id)}`).json(TenderAnswer);
  return tender;
});

/** One page of tenders; `query` is the query string of `GET /api/tenders`, null asks nothing. */
export function useTenderList(query: string | null): Shown<TenderList> {
  return useAnswer(lists, query);
}

/** One tender by its id. */
export function useTender(id: string): Shown<Tender> {
  return useAnswer(tenders, id);
}
