/** Tender lists and tenders from the server, the last answers kept. */
import { type Tender, TenderAnswer, TenderList } from '@nivida/contract/tender';
import * as v from 'valibot';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';
import { api } from './api.ts';
import { type Written, writtenAnswer } from './written.ts';

const ask = (query: string) => api.get('api/tenders', { searchParams: query }).json(TenderList);
/** What of the schema's shape is, as the schema gives it. */
const checkBy =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (given: unknown): T | undefined => {
    const checked = v.safeParse(schema, given);
    return checked.success ? checked.output : undefined;
  };
const writtenList = (written?: Partial<Written>) => writtenAnswer('api/tenders?', checkBy(TenderList), written);
const lists = keepAnswers(ask, writtenList());
/** By their queries, one a line; all of them or none. */
const several = keepAnswers((queries) => Promise.all(queries.split('\n').map(ask)));

const toTender = ({ tender }: TenderAnswer) => tender;
const OneTender = v.pipe(TenderAnswer, v.transform(toTender));
const writtenTender = (written?: Partial<Written>) => writtenAnswer('api/tenders/', checkBy(OneTender), written);
const tenders = keepAnswers(
  async (id) => toTender(await api.get(`api/tenders/${encodeURIComponent(id)}`).json(TenderAnswer)),
  writtenTender(),
);

/** For a page that the server draws: what it brings is all that is known. */
export function takeTenders(written: Partial<Written>): void {
  lists.store.setState(writtenList(written), true);
  tenders.store.setState(writtenTender(written), true);
}

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
