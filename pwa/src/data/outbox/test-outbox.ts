/** The server's answer to pending changes, for tests. */
import type { ChangeResult, OutboxRequest, OutboxResponse } from '@nivida/contract/sync/outbox';

export const NO_CHANGES: OutboxRequest = { bookmarks: [], searches: [], offices: [] };

/** Answers `POST /api/outbox`: every change is accepted, except those with a refusal by the id of their subject. */
export function outboxAnswer(
  { bookmarks, searches, offices }: OutboxRequest = NO_CHANGES,
  present: Partial<OutboxResponse['present']> = {},
  refusals: Readonly<Record<string, ChangeResult['refusal']>> = {},
): Response {
  const resultsOf = (ids: readonly string[]) => ids.map((id) => ({ id, refusal: refusals[id] ?? null }));
  return Response.json({
    bookmarks: resultsOf(bookmarks.map(({ tenderId }) => tenderId)),
    searches: resultsOf(searches.map(({ search }) => search.id)),
    offices: resultsOf(offices.map(({ officeId }) => officeId)),
    present: { tenderIds: [], searches: [], offices: [], ...present },
  } satisfies OutboxResponse);
}
