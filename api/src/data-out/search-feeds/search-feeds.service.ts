import { randomBytes } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { FEED_ORDERS, type FeedFormat } from '@nivida/contract/data-out/feed-addresses';
import type { SearchFeedListResponse, SearchFeedToken } from '@nivida/contract/data-out/search-feeds';
import { fromSavedFilter } from '@nivida/contract/filter/saved-filter';
import { TenderQuery } from '@nivida/contract/filter/tender-query';
import type { Language } from '@nivida/contract/languages';
import { HOUR_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, In, IsNull } from 'typeorm';
import { parse, UUID_REGEX } from 'valibot';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Sender } from '../../http/security/client-address.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { SavedSearchEntity } from '../../searches/saved-search.entity.ts';
import { ListFeedsService } from '../lists/list-feeds.service.ts';
import { SearchFeedEntity } from './search-feed.entity.ts';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[\w-]{43}$/;

const noFeed = () => new AppError('NOT_FOUND', () => t`This address is not valid any more`);
const noSearch = () => new AppError('NOT_FOUND', () => t`Saved search not found`);

/** Feeds of saved searches at private addresses: who has the address reads the feed. */
@Injectable()
export class SearchFeedsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: ListFeedsService,
    private readonly limits: RateLimitsService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** The private addresses of a user's searches. */
  async list(userId: string): Promise<SearchFeedListResponse['feeds']> {
    const feeds = await this.dataSource
      .getRepository(SearchFeedEntity)
      .createQueryBuilder('feed')
      .innerJoin(SavedSearchEntity, 'search', 'search.id = feed.searchId')
      .where('search.userId = :userId', { userId })
      .orderBy('feed.createdAt')
      .getMany();
    return feeds.map(({ searchId, createdAt, readAt }) => ({
      searchId,
      createdAt: createdAt.toISOString(),
      readAt: readAt?.toISOString() ?? null,
    }));
  }

  /** Makes the private address of a search. An earlier one ends. NOT_FOUND unless the search is the user's. */
  async make(userId: string, id: string, requestId: string): Promise<SearchFeedToken> {
    const searchId = await this.ownSearch(userId, id);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const createdAt = this.now();
    await this.dataSource.transaction(async (manager) => {
      await manager
        .getRepository(SearchFeedEntity)
        .upsert({ searchId, tokenSha256: sha256Hex(token), createdAt, readAt: null }, ['searchId']);
      const event = { action: 'search-feed.made', actorId: userId, subject: searchId, detail: {}, requestId };
      await recordAuditEvent(manager, event, createdAt);
    });
    return { token, createdAt: createdAt.toISOString() };
  }

  /** Ends the private address of a search. NOT_FOUND unless there is one and the search is the user's. */
  async end(userId: string, id: string, requestId: string): Promise<void> {
    const searchId = await this.ownSearch(userId, id);
    await this.dataSource.transaction(async (manager) => {
      const { affected } = await manager.getRepository(SearchFeedEntity).delete({ searchId });
      if (!affected) throw noFeed();
      const event = { action: 'search-feed.ended', actorId: userId, subject: searchId, detail: {}, requestId };
      await recordAuditEvent(manager, event, this.now());
    });
  }

  /** Ends all private addresses of a user; returns their number. */
  async endAll(manager: EntityManager, userId: string): Promise<number> {
    const searches = await manager.getRepository(SavedSearchEntity).find({ where: { userId }, select: { id: true } });
    const { affected } = await manager
      .getRepository(SearchFeedEntity)
      .delete({ searchId: In(searches.map(({ id }) => id)) });
    return affected ?? 0;
  }

  /** The feed at a private address. NOT_FOUND for an address that has ended, and for a closed account. */
  async read(token: string, format: FeedFormat, language: Language, sender: Sender): Promise<string> {
    const feed = TOKEN_PATTERN.test(token)
      ? await this.dataSource.getRepository(SearchFeedEntity).findOneBy({ tokenSha256: sha256Hex(token) })
      : null;
    const search = feed && (await this.dataSource.getRepository(SavedSearchEntity).findOneBy({ id: feed.searchId }));
    const isOpen =
      search && (await this.dataSource.getRepository(UserEntity).existsBy({ id: search.userId, deletedAt: IsNull() }));
    if (!feed || !search || !isOpen) {
      await this.limits.consumeUnknownId(sender);
      throw noFeed();
    }
    await this.limits.consume('search-feed', { account: search.userId });
    const now = this.now();
    if (!feed.readAt || now.getTime() - feed.readAt.getTime() >= HOUR_MS)
      await this.dataSource.getRepository(SearchFeedEntity).update({ searchId: feed.searchId }, { readAt: now });
    const order = parse(TenderQuery, Object.fromEntries(new URLSearchParams(FEED_ORDERS[format])));
    const query = { ...order, ...fromSavedFilter(search.filter) };
    return this.lists.render({ format, query, language, title: search.name, key: `search/${search.id}` });
  }

  private async ownSearch(userId: string, id: string): Promise<string> {
    const isOwn =
      UUID_REGEX.test(id) && (await this.dataSource.getRepository(SavedSearchEntity).existsBy({ id, userId }));
    if (!isOwn) throw noSearch();
    return id;
  }
}
