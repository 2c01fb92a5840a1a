import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { STATES } from '@nivida/contract/states';
import { TendersService } from '../tenders/tenders.service.ts';
import { fixedHead } from './page-head.ts';
import type { HeadOf } from './pages.ts';

/** Finds the head of every page of the app. Without the database a tender's page still comes, with general words. */
export function pageHeads(app: NestFastifyApplication, origin: string): HeadOf {
  return async (path, query) => {
    const id = /^\/tenders\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) {
      const head = await app
        .get(TendersService)
        .head(id)
        .catch(() => ({ ...fixedHead('/tenders', origin, null), isPrivate: true }));
      return head ?? { ...fixedHead(path, origin, null), title: 'Tender not found' };
    }
    const wanted = query.get('state');
    const state = STATES.find(({ name, slug }) => name === wanted || slug === wanted);
    return fixedHead(path, origin, state?.name ?? null);
  };
}
