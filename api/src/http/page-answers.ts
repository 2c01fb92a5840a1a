import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readSearch, toQuery } from '@nivida/contract/list-address';
import { TenderQuery } from '@nivida/contract/tender';
import * as v from 'valibot';
import { TendersService } from '../tenders/tenders.service.ts';
import type { AnswerOf } from './pages.ts';
import { CLOCK } from './tokens.ts';

/** Finds what the pages of tenders, the search and home begin with. What cannot be answered now is left for the app to ask for. */
export function pageAnswers(app: NestFastifyApplication): AnswerOf {
  const ask = async (path: string, query: URLSearchParams) => {
    const tenders = app.get(TendersService);
    const id = /^\/tenders\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) return { call: `api/tenders/${id}`, json: await tenders.tender(id) };
    if (path === '/' || path === '/tenders')
      return { call: 'api/regions', json: JSON.stringify(await tenders.regions()) };
    if (path !== '/tenders/results') return undefined;
    const search = readSearch(query);
    if (search.state === '' && search.q === '') return undefined;
    const asked = toQuery(search);
    const json = await tenders.list(v.parse(TenderQuery, Object.fromEntries(new URLSearchParams(asked))));
    return { call: `api/tenders?${asked}`, json };
  };
  return async (path, query) => {
    const at = app.get<() => Date>(CLOCK)();
    const answer = await ask(path, query).catch(() => undefined);
    return answer && { ...answer, at };
  };
}
