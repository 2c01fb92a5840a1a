import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { listQueryString, oneOrSeveral, parseListQuery } from '@nivida/contract/filter/tender-filter';
import { TenderQuery } from '@nivida/contract/filter/tender-query';
import { findPage } from '@nivida/contract/site/pages';
import * as v from 'valibot';
import { AwardsService } from '../awards/awards.service.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { SiteStatusService } from '../site-status/site-status.service.ts';
import { TendersService } from '../tenders/tenders.service.ts';
import { awardPageAnswer } from './award-pages.ts';
import type { GetPageAnswer } from './serve-pages.ts';

/** The parameters in the form that the API's controllers get. A repeated one is a list. */
function parametersOf(query: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(query.keys())];
  return Object.fromEntries(names.map((name) => [name, oneOrSeveral(query.getAll(name))]));
}

/** Finds the initial data of the pages of tenders, awards, search and home. If the server has none now, the app requests it. */
export function createGetPageAnswer(app: NestFastifyApplication): GetPageAnswer {
  const ask = async (path: string, query: URLSearchParams) => {
    const tenders = app.get(TendersService);
    const found = findPage(path);
    if (found?.path === '/tenders/:id')
      return { call: `api/tenders/${found.parameter}`, json: await tenders.tender(found.parameter) };
    if (path === '/' || path === '/tenders')
      return { call: 'api/regions', json: JSON.stringify(await tenders.regions()) };
    if (path === '/status')
      return { call: 'api/site-status', json: JSON.stringify(await app.get(SiteStatusService).read()) };
    if (path !== '/tenders/results') return awardPageAnswer(app.get(AwardsService), path, query);
    const search = parseListQuery(query);
    if (search.state === '' && search.q === '') return undefined;
    const listQuery = listQueryString(search);
    const json = await tenders.list(v.parse(TenderQuery, parametersOf(new URLSearchParams(listQuery))));
    return { call: `api/tenders?${listQuery}`, json };
  };
  return async (path, query) => {
    const at = app.get<() => Date>(CLOCK)();
    const answer = await ask(path, query).catch(() => undefined);
    return answer && { ...answer, at };
  };
}
