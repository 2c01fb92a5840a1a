import { t } from '@lingui/core/macro';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FEED_FORMATS, FEED_MEDIA_TYPES, feedPath } from '@nivida/contract/data-out/feed-addresses';
import { parseListQuery } from '@nivida/contract/filter/tender-filter';
import { inLanguage } from '@nivida/contract/i18n';
import { STATES } from '@nivida/contract/regions/states';
import { findPage } from '@nivida/contract/site/pages';
import { AwardsService } from '../awards/awards.service.ts';
import { notFoundMetadata, type PageMetadata, staticPageMetadata } from '../http/html/page-metadata.ts';
import { PaymentGateway } from '../payments/payment-gateway.port.ts';
import { TendersService } from '../tenders/tenders.service.ts';
import { awardPageMetadata } from './award-pages.ts';
import type { GetPageMetadata } from './serve-pages.ts';

/** Finds the head of every page of the app. If the database is down, a tender's page has a general head and is not to be indexed. */
export function createGetPageMetadata(app: NestFastifyApplication, origin: string): GetPageMetadata {
  return async (path, query, language) => {
    const found = findPage(path);
    if (found?.path === '/tenders/:id') {
      const head = await app
        .get(TendersService)
        .pageMetadata(found.parameter, language)
        .catch(
          (): PageMetadata => ({
            ...inLanguage(language, () => staticPageMetadata('/tenders', origin, null)),
            isNoIndex: true,
          }),
        );
      return head ?? inLanguage(language, () => ({ ...notFoundMetadata(path, origin), title: t`Tender not found` }));
    }
    const awardPage = await awardPageMetadata(app.get(AwardsService), path, query, origin, language);
    if (awardPage) return awardPage;
    const requestedState = query.get('state');
    const state = STATES.find(({ name, slug }) => name === requestedState || slug === requestedState);
    const head = inLanguage(language, () =>
      staticPageMetadata(path, origin, state?.name ?? null, app.get(PaymentGateway).mode === 'none'),
    );
    if (found?.path !== '/tenders/results') return head;
    const search = parseListQuery(query);
    const feeds = FEED_FORMATS.map((format) => ({
      type: FEED_MEDIA_TYPES[format],
      path: feedPath(format, search, language),
    }));
    return { ...head, feeds };
  };
}
