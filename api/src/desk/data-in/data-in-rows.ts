/** Rows of the services as the desk's lists have them. */
import type { DeskFeed, DeskKey } from '@nivida/contract/desk/data-in';
import type { ListedFeed } from '../../ingest/feeds/feeds.service.ts';
import type { ListedKey } from '../../ingest/sent-files/import-keys.service.ts';

const text = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toDeskFeed = (feed: ListedFeed): DeskFeed => ({
  name: feed.name,
  portal: feed.portal,
  source: feed.source,
  every_minutes: feed.everyMinutes,
  tried_at: text(feed.triedAt),
  succeeded_at: text(feed.succeededAt),
  error: feed.error,
  held_files: feed.heldFiles,
  counts: feed.counts,
  paused_at: text(feed.pausedAt),
  paused_reason: feed.pausedReason,
});

export const toDeskKey = (key: ListedKey): DeskKey => ({
  id: key.id,
  name: key.name,
  portal: key.portal,
  lists_only: key.listsOnly,
  created_at: key.createdAt.toISOString(),
  created_by: key.createdBy,
  used_at: text(key.usedAt),
  revoked_at: text(key.revokedAt),
});
