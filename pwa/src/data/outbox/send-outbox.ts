/**
 * Sends the outbox, from a page or from the service worker. The `OutboxStore` accesses the device's database
 * with Dexie or without it. `call` reaches the server with the user's session or without one.
 */
import { t } from '@lingui/core/macro';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import { MAX_BOOKMARK_CHANGES, MAX_FOLLOWED_OFFICES, MAX_SEARCHES } from '@nivida/contract/limits';
import type { ChangeResult, OutboxResponse } from '@nivida/contract/sync/outbox';
import type { OutboxRequestRow, OutboxRow, PendingChangeRow, PendingSearchRow } from '../device/schema.ts';
import { deleteSentChanges, isRequest, type OutboxTable, oldestFirst, type SentChangeRow } from './pending-changes.ts';

export interface OutboxStore {
  /** All rows of the outbox. */
  read(): Promise<OutboxRow[]>;
  /** Runs `work` in one transaction. */
  change<T>(work: (outbox: OutboxTable) => Promise<T>): Promise<T>;
}

/** The reason when the server refuses something without giving one. */
export const defaultRefusal = () => t`The server did not accept this.`;

const isDue = ({ refusal, sentAt, needs, owner }: OutboxRequestRow, sessionOwner: string | null): boolean =>
  refusal === null && sentAt === null && (needs !== 'session' || owner === sessionOwner);

/**
 * The row after the server's response; null removes it. `body` is reduced to the part that the app shows to
 * the owner.
 */
function rowAfter(row: OutboxRequestRow, refusal: string | null, now: number): OutboxRequestRow | null {
  // Such a request ends a session or alerts. A refusal means that they have ended already.
  if (row.needs === 'authorization') return null;
  if (refusal !== null) return { ...row, refusal };
  const { subject } = (row.body ?? {}) as { subject?: unknown };
  return { ...row, sentAt: now, body: { subject } };
}

/**
 * Sends the due requests, oldest first. A failed request does not stop the others; the first failure is
 * thrown at the end.
 *
 * `call` returns null when the server accepted a request, or the server's reason for refusing it. It throws
 * when the request must be sent again. `sessionOwner` is the user whose session is used; null when there is
 * none. `onRefused` gets each refused row. `now` is in milliseconds.
 */
export async function sendRequests(
  store: OutboxStore,
  call: (row: OutboxRequestRow) => Promise<string | null>,
  sessionOwner: () => string | null,
  now: number,
  onRefused?: (row: OutboxRequestRow, reason: string) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { id } of oldestFirst((await store.read()).filter(isRequest))) {
    // In the meantime the request may be cancelled, or another user may have signed in.
    const row = (await store.read()).filter(isRequest).find((each) => each.id === id);
    if (!row || !isDue(row, sessionOwner())) continue;
    try {
      const after = rowAfter(row, await call(row), now);
      await store.change(async (outbox) => {
        // The user may have cancelled it in the meantime.
        if (!(await outbox.get(id))) return;
        await (after ? outbox.put(after) : outbox.delete(id));
      });
      if (after && after.refusal !== null) onRefused?.(after, after.refusal);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Deletions are first, because of the limit of searches. Then the oldest is first, which the server's order
 * needs.
 */
const searchRank = ({ wanted, search }: PendingSearchRow) => (wanted === 'deleted' ? -1 : search.savedAt);

/**
 * An owner's bookmarks, searches and offices for one call, in the order that the server needs. Only the app
 * sends records.
 */
export function nextChanges(rows: readonly OutboxRow[], owner: string): SentChangeRow[] {
  const changes = rows.filter((row): row is PendingChangeRow => !isRequest(row) && row.owner === owner);
  return [
    ...changes.filter((row) => row.kind === 'bookmark').slice(0, MAX_BOOKMARK_CHANGES),
    ...changes
      .filter((row) => row.kind === 'search')
      .sort((one, other) => searchRank(one) - searchRank(other))
      .slice(0, MAX_SEARCHES),
    ...changes.filter((row) => row.kind === 'office').slice(0, MAX_FOLLOWED_OFFICES),
  ];
}

/** A filter in the form of a request, where numbers are text. */
export function filterToWire(filter: SavedFilter): object {
  const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value);
  return Object.fromEntries(Object.entries(filter).map(([field, value]) => [field, textOf(value)]));
}

/** The body of `POST /api/outbox`. */
function toBody(changes: readonly SentChangeRow[]): object {
  const searchOf = ({ id, name, filter, openedUpTo }: PendingSearchRow['search']) => ({
    ...{ id, name, openedUpTo },
    filter: filterToWire(filter),
  });
  const of = <Kind extends SentChangeRow['kind']>(kind: Kind) =>
    changes.filter((row): row is Extract<SentChangeRow, { kind: Kind }> => row.kind === kind);
  return {
    bookmarks: of('bookmark').map(({ tenderId, wanted }) => ({ tenderId, wanted })),
    searches: of('search').map(({ wanted, search }) => ({ wanted, search: searchOf(search) })),
    offices: of('office').map(({ office, wanted }) => ({ officeId: office.id, wanted })),
  };
}

/** The id of a change in the server's response. */
function subjectId(change: SentChangeRow): string {
  if (change.kind === 'bookmark') return change.tenderId;
  return change.kind === 'search' ? change.search.id : change.office.id;
}

/** A change that the server refused. */
export interface RefusedChange {
  change: SentChangeRow;
  refusal: NonNullable<ChangeResult['refusal']>;
}

/** The server's answer to changes. `present` has the user's lists afterwards. */
export interface SentChanges extends Pick<OutboxResponse, 'present'> {
  refused: RefusedChange[];
}

/**
 * Sends changes in one call. Removes the accepted changes, except those that the user has changed since.
 * Refused changes are left to the caller. Throws the errors of `call`, and when a change has no answer.
 */
export async function sendChanges(
  store: OutboxStore,
  call: (body: object) => Promise<OutboxResponse>,
  changes: readonly SentChangeRow[],
): Promise<SentChanges> {
  const { bookmarks, searches, offices, present } = await call(toBody(changes));
  const lists = { bookmark: bookmarks, search: searches, office: offices };
  const accepted: SentChangeRow[] = [];
  const refused: RefusedChange[] = [];
  for (const change of changes) {
    const result = lists[change.kind].find(({ id }) => id === subjectId(change));
    if (result?.refusal === null) accepted.push(change);
    else if (result) refused.push({ change, refusal: result.refusal });
  }
  if (accepted.length > 0) await store.change((outbox) => deleteSentChanges(outbox, accepted));
  if (accepted.length + refused.length < changes.length) throw new Error('The server has not answered every change.');
  return { refused, present };
}
