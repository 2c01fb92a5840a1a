/**
 * Merges the releases of one process, from this file and earlier ones, into one tender. The newest value of each field is
 * used. The order in which the releases arrive does not matter. A release that arrives before its tender is stored and waits for it.
 */
import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { withOwnConnection } from '../../database/own-connection.ts';
import { parseDesignation } from '../cells/normalise.ts';
import { LOCK_RELEASES, STATED_RELEASES, UNLOCK_RELEASES } from '../ingest.sql.ts';
import {
  InvalidValueError,
  type KeptRow,
  type SourceRow,
  type Statement,
  sourceTenderKey,
  toRejection,
} from '../source-tender.ts';
import { type OcdsRow, toTender } from './ocds.ts';
import { instantOf, mergeReleases, mergeValues } from './ocds-merge.ts';
import type { Release, StatedRelease } from './ocds-schema.ts';
import { type OcdsOptions, processKey } from './ocds-tender.ts';

/** Rows whose stored releases are read with one statement. */
const BATCH_ROWS = 500;
/** Maximum number of stored releases of a process. When there are more, the oldest are merged. */
const MAX_RELEASES = 30;

/** A row with a readable release. */
type ReleaseRow = OcdsRow & { release: StatedRelease };

/** A row of the import. With a tender it has the merged release, and `hasAwardNews` if this file has news of the award. */
export type MergedRow = (SourceRow & { merged?: Release; hasAwardNews?: boolean }) | KeptRow;

interface Stored {
  releases: StatedRelease[];
  /** Whether the tender is stored. */
  isKnown: boolean;
}

/** The processes that a file names more than once, each with the number of its last row. */
export class RepeatedProcesses {
  private readonly seen = new Set<string>();
  private readonly last = new Map<string, number>();
  rows = 0;

  constructor(private readonly options: OcdsOptions) {}

  add(row: OcdsRow): void {
    const n = this.rows++;
    const key = row.release && keyOf(row.release, this.options);
    if (!key) return;
    if (this.seen.has(key)) this.last.set(key, n);
    this.seen.add(key);
  }

  /** Whether a later row than the `n`th belongs to the same process. */
  hasLaterRow(key: string, n: number): boolean {
    return n < (this.last.get(key) ?? n);
  }
}

function keyOf(release: StatedRelease, options: OcdsOptions): string | null {
  const process = processKey(release, options);
  return process instanceof InvalidValueError ? null : sourceTenderKey(process);
}

const RELEASES_LOCK = 4_770_005;

/** Lets one import of releases run at a time, because each merges with stored releases. A lost connection ends the lock. */
export async function withReleasesLock<Result>(dataSource: DataSource, work: () => Promise<Result>): Promise<Result> {
  return withOwnConnection(dataSource, 'nivida-imports', async (query) => {
    await query(LOCK_RELEASES, [RELEASES_LOCK]);
    return work().finally(() => query(UNLOCK_RELEASES, [RELEASES_LOCK]));
  });
}

/** Yields one row for each row of the file; the releases of a process are merged into its last one. */
export async function* mergeHistory(
  rows: AsyncIterable<OcdsRow>,
  repeated: RepeatedProcesses,
  options: OcdsOptions,
  dataSource: DataSource,
): AsyncGenerator<MergedRow> {
  const open = new Map<string, ReleaseRow[]>();
  let batch: { row: OcdsRow; n: number }[] = [];
  async function* settle() {
    const stored = await readStored(batch, options, dataSource);
    for (const { row, n } of batch) {
      const key = row.release && keyOf(row.release, options);
      if (!key) {
        yield row;
        continue;
      }
      const group = [...(open.get(key) ?? []), row as ReleaseRow];
      if (repeated.hasLaterRow(key, n)) open.set(key, group);
      else {
        open.delete(key);
        yield* mergeRows(group, stored.get(key), options);
      }
    }
    batch = [];
  }
  let n = 0;
  for await (const row of rows) {
    batch.push({ row, n: n++ });
    if (batch.length >= BATCH_ROWS) yield* settle();
  }
  yield* settle();
}

async function readStored(
  batch: readonly { row: OcdsRow }[],
  options: OcdsOptions,
  dataSource: DataSource,
): Promise<Map<string, Stored>> {
  const processes = batch.flatMap(({ row }) => {
    const process = row.release && processKey(row.release, options);
    return !process || process instanceof InvalidValueError ? [] : [process];
  });
  const found: (Statement & { isKnown: boolean })[] = await dataSource.query(STATED_RELEASES, [
    processes.map(({ portal }) => portal),
    processes.map(({ sourceId }) => sourceId),
  ]);
  return new Map(
    found.map((each) => [sourceTenderKey(each), { isKnown: each.isKnown, releases: each.releases as StatedRelease[] }]),
  );
}

function* mergeRows(
  group: readonly ReleaseRow[],
  stored: Stored | undefined,
  options: OcdsOptions,
): Generator<MergedRow> {
  const before = stored?.releases ?? [];
  const [only] = group as [ReleaseRow];
  let releases = before;
  let isUsable = stored?.isKnown ?? false;
  let tender: ReturnType<typeof tryTender> | undefined;
  const kept: ReleaseRow[] = [];
  for (const row of inOrder(group)) {
    const next = addRelease(releases, row.release);
    const made = tryTender(next, options);
    if (made instanceof InvalidValueError && isUsable) {
      yield { line: row.line, rejection: toRejection(made, row.line), ...warningsOf(row) };
      continue;
    }
    releases = next;
    tender = made;
    isUsable = !(made instanceof InvalidValueError);
    kept.push(row);
  }
  const last = kept.reduce<ReleaseRow | undefined>((a, b) => (a && a.line > b.line ? a : b), undefined);
  if (!last || !tender) return;
  const toStore = prune(releases).map(withoutNames);
  const process = processKey(only.release, options) as { portal: string; sourceId: string };
  const statement = isDeepStrictEqual(toStore, before) ? {} : { statement: { ...process, releases: toStore } };
  for (const row of kept) {
    const { line } = row;
    const warnings = warningsOf(row);
    const own = row === last ? statement : {};
    if (!(tender instanceof InvalidValueError)) {
      if (row !== last) yield { line, kept: 'merged', ...warnings };
      else {
        const earlier = stored?.isKnown ? undefined : firstTender(releases, options);
        const hasAwardNews = isNewsOfAward(kept, before);
        yield { line, tender, ...(earlier && { earlier }), ...own, ...warnings, merged: merge(releases), hasAwardNews };
      }
    } else if (isChangeOnly(row.release))
      yield { line, kept: 'waiting', example: process.sourceId, ...own, ...warnings };
    else yield { line, rejection: toRejection(tender, line), ...own, ...warnings };
  }
}

const warningsOf = ({ warnings }: OcdsRow) => (warnings ? { warnings } : {});

const inOrder = (rows: readonly ReleaseRow[]) =>
  rows.toSorted((a, b) => instantOf(a.release.date) - instantOf(b.release.date));

const merge = ([first, ...later]: readonly StatedRelease[]): Release => mergeReleases(first as StatedRelease, ...later);

function tryTender(releases: readonly StatedRelease[], options: OcdsOptions) {
  try {
    return toTender(merge(releases), options);
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
}

/** The tender before its later releases change it; undefined when they do not. */
function firstTender(releases: readonly StatedRelease[], options: OcdsOptions) {
  for (let count = 1; count < releases.length; count++) {
    const tender = tryTender(releases.slice(0, count), options);
    if (!(tender instanceof InvalidValueError)) return tender;
  }
  return undefined;
}

/** Adds a release in order of date. It replaces a release with the same id and date. */
function addRelease(releases: readonly StatedRelease[], release: StatedRelease): StatedRelease[] {
  const at = instantOf(release.date);
  const stated = withoutNames(release);
  const same = releases.findIndex(
    (each) =>
      instantOf(each.date) === at &&
      (release.id != null ? each.id === release.id : isDeepStrictEqual(withoutNames(each), stated)),
  );
  if (same >= 0) return releases.with(same, release);
  const after = releases.findIndex((each) => instantOf(each.date) > at);
  return releases.toSpliced(after < 0 ? releases.length : after, 0, release);
}

/** Removes releases whose values are all replaced by later ones. */
function prune(releases: readonly StatedRelease[]): StatedRelease[] {
  const pruned = releases.slice(-1);
  let later = content(releases.at(-1) as StatedRelease);
  for (const release of releases.slice(0, -1).reverse()) {
    const both = mergeValues(content(release), later);
    if (isDeepStrictEqual(both, later)) continue;
    later = both as typeof later;
    pruned.unshift(release);
  }
  while (pruned.length > MAX_RELEASES) {
    const [oldest, next] = pruned.splice(0, 2) as [StatedRelease, StatedRelease];
    pruned.unshift(mergeValues(oldest, next) as StatedRelease);
  }
  return pruned;
}

/** The facts of a release as plain JSON, without its id, date and tags. */
function content({ id: _id, date: _date, tag: _tag, ...rest }: StatedRelease): unknown {
  return JSON.parse(JSON.stringify(rest));
}

/** The release as it is stored: plain, without names of officials and bidders. */
function withoutNames(release: StatedRelease): StatedRelease {
  const { bids: _bids, ...rest } = release;
  const awards = release.awards?.map(({ suppliers: _suppliers, ...award }) => award);
  const plain = JSON.parse(JSON.stringify({ ...rest, ...(release.awards && { awards }) }));
  if (plain.tender) delete plain.tender.tenderers;
  for (const party of [plain.buyer, plain.tender?.procuringEntity, ...(plain.parties ?? [])])
    if (party?.contactPoint) party.contactPoint = { name: parseDesignation(party.contactPoint.name) };
  return plain;
}

/** Whether a release has only changes, so that it is not a complete tender. */
function isChangeOnly({ tag, tender }: StatedRelease): boolean {
  if (!tender) return true;
  if (tag.some((each) => each === 'tender' || each === 'planning' || each === 'compiled')) return false;
  return (tender.title == null && tender.description == null) || tender.tenderPeriod?.endDate == null;
}

/**
 * Whether the file's releases may update the award. Stored releases have no names of winners, so a release without names
 * must not replace an award that an earlier release has reported.
 */
function isNewsOfAward(rows: readonly ReleaseRow[], before: readonly StatedRelease[]): boolean {
  const told = rows.filter(({ release }) => (release.awards?.length ?? 0) > 0 || release.bids?.details?.length);
  if (told.length === 0) return false;
  const isNamed = told.some(({ release }) => release.awards?.some(({ suppliers }) => suppliers?.length));
  const isOfFile = (each: StatedRelease) =>
    rows.some(({ release }) => each.id === release.id && each.date === release.date);
  return isNamed || !before.some((each) => (each.awards?.length ?? 0) > 0 && !isOfFile(each));
}
