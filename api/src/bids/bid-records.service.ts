import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import {
  acceptChange,
  type BidRecordState,
  isDeleted,
  isSameState,
  latestStamp,
} from '@nivida/contract/bids/merge-records';
import {
  fieldsRefusal,
  isRecordKind,
  RECORD_FIELDS,
  type RecordChangesPage,
  type RecordChangesResponse,
  type RecordKind,
  type RecordsExport,
  type WireRecord,
} from '@nivida/contract/bids/records';
import { formatCount } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { MAX_ALL_RECORD_BYTES, MAX_RECORDS, maxStoredRecords } from '@nivida/contract/limits';
import { DataSource, type EntityManager, In, MoreThan, type QueryDeepPartialEntity } from 'typeorm';
import { CLOCK } from '../base/injection-tokens.ts';
import { SyncService } from '../sync/sync.service.ts';
import { BidRecordEntity, BidSyncEntity, RecordUsageEntity } from './bid-record.entity.ts';
import { formatRecordCursor, parseRecordCursor, type RecordCursor } from './record-cursor.ts';
import { noFirmPlanText, type RecordOwner, RecordOwnersService } from './record-owners.service.ts';
import type { RecordSpace } from './record-space.ts';
import { RowsAssigned } from './rows-assigned.port.ts';

const PAGE_ROWS = 200;

const LIMIT_TEXTS: Record<RecordKind, (max: string) => string> = {
  bid: (max) => t`You can have at most ${max} bids`,
  check: (max) => t`You can have at most ${max} marks of checklists`,
  deposit: (max) => t`You can have at most ${max} deposits`,
  release: (max) => t`You can have at most ${max} partial releases`,
  letter: (max) => t`You can have at most ${max} letters`,
  bidDocument: (max) => t`You can have at most ${max} documents`,
  workDone: (max) => t`You can have at most ${max} completed works`,
  enlistment: (max) => t`You can have at most ${max} enlistments`,
  profile: (max) => t`You can have at most ${max} profiles`,
  rate: (max) => t`You can have at most ${max} rates`,
  comment: (max) => t`A firm can have at most ${max} comments`,
  sharedSearch: (max) => t`A firm can share at most ${max} searches`,
};

type Result = RecordChangesResponse['results'][number];

/** The reason for refusing a whole record; undefined when its fields and stamps are valid. */
function recordRefusal({ kind, fields, stamps }: WireRecord): string | undefined {
  if (!isRecordKind(kind)) return t`This kind of record is not known. Update the app.`;
  const { entries } = RECORD_FIELDS[kind];
  const unknown = Object.keys(stamps).find((name) => !Object.hasOwn(entries, name));
  if (unknown !== undefined) return t`${unknown}: This field is not known. Update the app.`;
  const isStamped = ([name, value]: [string, unknown]) => value === null || Object.hasOwn(stamps, name);
  // Only a wrong program leaves a stamp out, so this is English.
  if (!Object.entries(fields).every(isStamped)) return 'A field has no stamp';
  return fieldsRefusal(kind, fields);
}

/** Kinds that only firms have. */
const FIRM_KINDS: readonly string[] = ['comment', 'sharedSearch'] satisfies RecordKind[];

/**
 * Why a comment is refused; undefined when its author writes or deletes it. It is written once: what it says never changes,
 * only its author deletes it, and none is written in another name.
 */
function commentRefusal(
  present: BidRecordState | undefined,
  merged: BidRecordState,
  { fields, stamps }: WireRecord,
  userId: string,
): string | undefined {
  if (!present) {
    const { by, text, bidId } = fields;
    if (String(by).toLowerCase() === userId && typeof text === 'string' && typeof bidId === 'string') return undefined;
    return t`You can write comments in your own name only`;
  }
  const isAuthor = String(present.fields.by).toLowerCase() === userId;
  const isWritten = Object.keys(stamps).some(
    (name) => name !== 'restored' && merged.stamps[name] !== present.stamps[name],
  );
  if (isAuthor && !isWritten) return undefined;
  return t`Comments cannot be changed, and only their author can delete them`;
}

const toState = ({ fields, stamps, deleted }: BidRecordEntity): BidRecordState => ({
  ...{ fields, stamps },
  ...(deleted !== null && { deleted }),
});

/** The records of accounts and firms. The caller takes the user's id from the session, never from a body or URL. */
@Injectable()
export class BidRecordsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: SyncService,
    private readonly owners: RecordOwnersService,
    private readonly rowsAssigned: RowsAssigned,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Merges the changes of a device into the owner's records; repeating the call changes nothing. Refusals are in `language`.
   * NOT_A_MEMBER.
   */
  async applyChanges(
    space: RecordSpace,
    records: readonly WireRecord[],
    language: Language,
  ): Promise<RecordChangesResponse> {
    const now = this.now();
    const epoch = await this.sync.epoch();
    return this.dataSource.transaction(async (manager) => {
      // Serialises the changes of an owner, so that no edit of another device is lost and numbers become visible in order.
      const owner = await this.owners.lock(manager, space);
      const before = await readSync(manager, owner.id);
      const merge = await MergeOfRequest.start(manager, owner, records, now);
      const results = inLanguage(language, () => records.map((record) => merge.apply(record)));
      const number = await merge.store(before.number);
      if (merge.assigned.size > 0) await this.rowsAssigned.notify(manager, owner.id, [...merge.assigned]);
      const cursorAt = (each: number) => formatRecordCursor({ epoch, number: each, removedUpTo: 0 });
      return { results, now: now.getTime(), before: cursorAt(before.number), after: cursorAt(number) };
    });
  }

  /** The changes after a cursor, or from the first record without a valid cursor. Null when there are none. NOT_A_MEMBER. */
  async readChanges(space: RecordSpace, after: string): Promise<RecordChangesPage | null> {
    const epoch = await this.sync.epoch();
    const cursor = parseRecordCursor(after);
    const isOfThisDatabase = cursor?.epoch === epoch;
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const ownerId = await this.owners.find(manager, space);
      const newest = await readSync(manager, ownerId);
      const known: RecordCursor = isOfThisDatabase ? cursor : { epoch, number: 0, removedUpTo: 0 };
      const isRemoved = known.number > 0 && newest.removedUpTo > Math.max(known.number, known.removedUpTo);
      const number = isRemoved ? 0 : known.number;
      const restart = after !== '' && !isOfThisDatabase ? 'restored' : isRemoved ? 'removed' : undefined;
      const rows = await readRows(manager, ownerId, number);
      if (rows.length === 0 && restart === undefined && number >= newest.number) return null;
      const isMore = rows.length > PAGE_ROWS;
      const page = rows.slice(0, PAGE_ROWS);
      const position = isMore
        ? { number: Number(page.at(-1)?.number), removedUpTo: Math.max(known.removedUpTo, newest.removedUpTo) }
        : { number: newest.number, removedUpTo: 0 };
      return {
        records: page.map(toWire),
        cursor: formatRecordCursor({ epoch, ...position }),
        more: isMore,
        ...(restart && { restart }),
      };
    });
  }

  /** The cursor of an owner's newest change; undefined for an owner without records. */
  async newestCursor(ownerId: string): Promise<string | undefined> {
    const { number } = await readSync(this.dataSource.manager, ownerId);
    if (number === 0) return undefined;
    return formatRecordCursor({ epoch: await this.sync.epoch(), number, removedUpTo: 0 });
  }

  /** All stored records of a firm for its owners. NOT_A_MEMBER, FORBIDDEN. */
  async exportFirm({ userId, firmId = '' }: RecordSpace): Promise<RecordsExport> {
    await this.dataSource.transaction((manager) => this.owners.requireOwnerOfFirm(manager, firmId, userId));
    return { exportedAt: this.now().toISOString(), records: await this.exportRecords(firmId) };
  }

  /** All stored records of an owner for an export. */
  async exportRecords(ownerId: string) {
    const rows = await this.dataSource.manager.find(BidRecordEntity, { where: { ownerId }, order: { number: 'ASC' } });
    return rows.map((row) => ({
      kind: row.kind,
      id: row.id,
      fields: row.fields,
      isDeleted: row.isDeleted,
      changedAt: row.updatedAt.toISOString(),
    }));
  }
}

const toWire = ({ kind, id, fields, stamps, deleted }: BidRecordEntity): WireRecord => ({
  ...{ kind, id, fields, stamps },
  ...(deleted !== null && { deleted }),
});

async function readSync(manager: EntityManager, ownerId: string): Promise<{ number: number; removedUpTo: number }> {
  const row = await manager.findOneBy(BidSyncEntity, { ownerId });
  return { number: Number(row?.lastNumber ?? 0), removedUpTo: Number(row?.removedUpTo ?? 0) };
}

/** A page of rows after a number. One more row shows that there is another page. */
function readRows(manager: EntityManager, ownerId: string, after: number): Promise<BidRecordEntity[]> {
  const where = { ownerId, number: MoreThan(String(after)) };
  return manager.find(BidRecordEntity, { where, order: { number: 'ASC' }, take: PAGE_ROWS + 1 });
}

const isOtherMember = (assigneeId: unknown, userId: string): boolean =>
  typeof assigneeId === 'string' && assigneeId.toLowerCase() !== userId;

/** Counts of an owner's records of one kind. `stored` includes deleted ones. */
interface RecordCounts {
  stored: number;
  live: number;
}

const recordBytes = ({ fields, stamps }: Pick<BidRecordState, 'fields' | 'stamps'>): number =>
  Buffer.byteLength(JSON.stringify(fields)) + Buffer.byteLength(JSON.stringify(stamps));

/** The merge of one request. The caller holds the lock of the owner. */
class MergeOfRequest {
  private readonly changed = new Set<BidRecordEntity>();
  /** Ids of rows of checklists that the user has assigned to another member of the firm. */
  readonly assigned = new Set<string>();

  private constructor(
    private readonly manager: EntityManager,
    private readonly owner: RecordOwner,
    private readonly now: Date,
    private readonly rows: Map<string, BidRecordEntity>,
    private readonly counts: Map<string, RecordCounts>,
    /** Size of all records of the owner. */
    private bytes: number,
  ) {}

  static async start(
    manager: EntityManager,
    owner: RecordOwner,
    records: readonly WireRecord[],
    now: Date,
  ): Promise<MergeOfRequest> {
    const ownerId = owner.id;
    const ids = records.map(({ id }) => id.toLowerCase());
    // Locked before `store` locks the row of BidSyncEntity. The removal of old records uses the same order.
    const rows = await manager.find(BidRecordEntity, {
      where: { ownerId, id: In(ids) },
      lock: { mode: 'pessimistic_write' },
    });
    // Stored counts: counting many records under the lock would take long.
    const usage = await manager.findBy(RecordUsageEntity, { ownerId });
    const counts = new Map(usage.map(({ kind, stored, live }) => [kind, { stored, live }]));
    const bytes = usage.reduce((sum, kind) => sum + Number(kind.bytes), 0);
    return new MergeOfRequest(manager, owner, now, new Map(rows.map((row) => [row.id, row])), counts, bytes);
  }

  apply(record: WireRecord): Result {
    const { kind, id } = record;
    const message = recordRefusal(record);
    if (message !== undefined) return { kind, id, result: 'refused', message };
    if (!this.owner.isFirm && FIRM_KINDS.includes(kind))
      return { kind, id, result: 'refused', message: t`Only a firm has records of this kind` };
    const row = this.rows.get(id.toLowerCase());
    if (row && row.kind !== kind)
      return { kind, id, result: 'refused', message: t`This id belongs to a record of another kind` };
    const present = row && toState(row);
    const merged = acceptChange(present, record, this.now.getTime());
    if (merged === 'ahead') {
      const latest = present && latestStamp(present);
      return { kind, id, result: 'ahead', ...(latest !== undefined && { latest }) };
    }
    if (present && isSameState(present, merged)) return { kind, id, result: 'accepted' };
    const refusal =
      (this.owner.canWrite ? undefined : noFirmPlanText()) ??
      (kind === 'comment' ? commentRefusal(present, merged, record, this.owner.userId) : undefined) ??
      this.limitRefusal(kind as RecordKind, row, merged);
    if (refusal !== undefined) return { kind, id, result: 'refused', message: refusal };
    this.put(record, row, merged);
    return { kind, id, result: 'accepted' };
  }

  /** The message when a new record exceeds a limit. */
  private limitRefusal(kind: RecordKind, row: BidRecordEntity | undefined, merged: BidRecordState): string | undefined {
    const { stored, live } = this.countsOf(kind);
    const growth = recordBytes(merged) - (row ? recordBytes(row) : 0);
    const isFull = growth > 0 && this.bytes + growth > MAX_ALL_RECORD_BYTES;
    if (isFull || (!row && stored >= maxStoredRecords(kind)))
      return this.owner.isFirm
        ? t`The firm has no room for more records`
        : t`Your account has no room for more records`;
    const isNew = !isDeleted(merged) && (!row || row.isDeleted);
    if (!isNew || live < MAX_RECORDS[kind]) return undefined;
    return LIMIT_TEXTS[kind](formatCount(MAX_RECORDS[kind]));
  }

  private countsOf(kind: string): RecordCounts {
    return this.counts.get(kind) ?? { stored: 0, live: 0 };
  }

  private put({ kind, id }: WireRecord, previous: BidRecordEntity | undefined, merged: BidRecordState): void {
    const row = previous ?? new BidRecordEntity();
    const wasLive = previous !== undefined && !previous.isDeleted;
    const { fields, stamps, deleted = null } = merged;
    this.bytes += recordBytes(merged) - (previous ? recordBytes(previous) : 0);
    const { assigneeId } = fields;
    const isAssigned = assigneeId !== previous?.fields.assigneeId && !isDeleted(merged);
    if (isAssigned && this.owner.isFirm && isOtherMember(assigneeId, this.owner.userId))
      this.assigned.add(id.toLowerCase());
    Object.assign(row, { ownerId: this.owner.id, id: id.toLowerCase(), kind, fields, stamps, deleted });
    row.isDeleted = isDeleted(merged);
    row.updatedAt = this.now;
    const { stored, live } = this.countsOf(kind);
    this.counts.set(kind, {
      stored: stored + Number(!previous),
      live: live + Number(!row.isDeleted) - Number(wasLive),
    });
    this.rows.set(row.id, row);
    this.changed.add(row);
  }

  /** Stores the changed rows with the numbers after `number`; returns the last one. */
  async store(number: number): Promise<number> {
    const { id: ownerId } = this.owner;
    let last = number;
    for (const row of this.changed) {
      last += 1;
      row.number = String(last);
    }
    if (last === number) return number;
    // TypeORM's type of an upsert does not allow JSON columns.
    const rows = [...this.changed] as QueryDeepPartialEntity<BidRecordEntity>[];
    await this.manager.upsert(BidSyncEntity, { ownerId, lastNumber: String(last) }, ['ownerId']);
    await this.manager.upsert(BidRecordEntity, rows, ['ownerId', 'id']);
    return last;
  }
}
