/** A test server for the sync calls: invented tenders, recorded requests, and faults on demand. */

import { Blob as NodeBlob } from 'node:buffer';
import type { DetailRows, ListRows, ManifestResponse, SegmentFileRef } from '@nivida/contract/sync/sync';
import { type DetailRow, packDelta, packDetails, packList } from '@nivida/contract/sync/sync-wire';
import { TENDER_FIELD_LIST, type TenderFieldKey } from '@nivida/contract/tenders/tender-fields';
import { hashContent } from '../../data/hash.ts';

// IndexedDB cannot store the Blobs of happy-dom.
globalThis.Blob = NodeBlob as typeof Blob;

const PUBLISHED = Date.parse('2026-11-02T03:30:00Z');
const CLOSES = Date.parse('2026-11-20T05:30:00Z');
const ROWS_PER_SEGMENT = 3;

/** `words` are in the description, so only the details contain them. */
export interface TestTender {
  id: number;
  title: string;
  words?: string;
  /** The name of the tender's only document. The delta compares tenders with the same document. */
  documentName?: string;
}

function listRows(tenders: readonly TestTender[]): ListRows {
  const all = <T>(value: T): T[] => tenders.map(() => value);
  return {
    id: tenders.map(({ id }) => id),
    title: tenders.map(({ title }) => title),
    orgName: all('PWD'),
    state: all('Himachal Pradesh'),
    district: all('Shimla'),
    secondDistrict: all(null),
    isListed: all(null),
    department: all('PWD'),
    category: all('Works'),
    price: tenders.map(({ id }) => `${id}00000.00`),
    priceText: all(null),
    emd: all(null),
    publishedAt: all(PUBLISHED),
    bidStartAt: all(null),
    closesAt: all(CLOSES),
    closingTimeKnown: all(true),
    stage: all('published' as const),
    lastCorrigendum: all(null),
    demonstration: all(false),
    portal: all('hptenders'),
    sourceTenderId: tenders.map(({ id }) => `2026_PWD_${id}_1`),
    nitWorks: all(1),
  };
}

function detailRows(tenders: readonly TestTender[]): DetailRows {
  const all = <T>(value: T): T[] => tenders.map(() => value);
  const nothing = () => all(null);
  return {
    id: tenders.map(({ id }) => id),
    description: tenders.map(({ words }) => words ?? ''),
    reference: nothing(),
    nitId: nothing(),
    organisationChain: tenders.map(() => ['PWD']),
    ...(Object.fromEntries(TENDER_FIELD_LIST.map(({ key }) => [key, nothing()])) as Record<TenderFieldKey, null[]>),
    opensAt: nothing(),
    preBidAt: nothing(),
    documents: tenders.map(({ documentName }) =>
      documentName ? [{ cover: 'Technical', type: 'pdf', name: documentName }] : [],
    ),
    corrigenda: tenders.map(() => []),
    districtConfidence: nothing(),
    version: all(1),
    updatedAt: all(PUBLISHED),
    documentPackage: all(null),
    otherSources: all(null),
  };
}

const detailRow = (tender: TestTender) =>
  Object.fromEntries(Object.entries(detailRows([tender])).map(([field, [value]]) => [field, value])) as DetailRow;

const encodeFile = (file: unknown) => new TextEncoder().encode(JSON.stringify(file));

interface TestChange {
  changed: TestTender[];
  removed: number[];
}

/** The server of one scope. Tests replace the browser's `fetch` with its `fetch`. */
export class TestServer {
  /** Requested paths, in order. */
  readonly requestedPaths: string[] = [];
  /** For each requested delta: whether it had `details=1`, and its size. */
  readonly deltas: { withDetails: boolean; bytes: number }[] = [];
  /** Overrides the server's answer, unless it resolves to undefined. A throw is a broken connection. */
  fault: (path: string, answer: () => Promise<Response>) => Promise<Response | undefined> = async () => undefined;
  schema = 1;
  /** False for a server that sends whole tenders instead of differences. */
  sendsDifferences = true;
  /** When the portal was last compared. */
  checkedAt = '2026-11-10T04:10:00.000Z';
  /** When set, the server compares with this tender only, even if the device lacks it. */
  stray: TestTender | undefined;
  private epoch = 'epoch-1';
  private base: TestTender[];
  /** The origin of a CDN that has the segments. */
  assetOrigin: string | undefined;
  private changes: TestChange[] = [];
  private first = 0;
  private readonly files = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(tenders: TestTender[]) {
    this.base = tenders;
  }

  get tenders(): TestTender[] {
    return this.tendersAfter(this.changes.length);
  }

  /** The tenders after the first `changes` changes since the segments. */
  private tendersAfter(changes: number): TestTender[] {
    const now = new Map(this.base.map((each) => [each.id, each]));
    for (const { changed, removed } of this.changes.slice(0, changes)) {
      for (const each of changed) now.set(each.id, each);
      for (const id of removed) now.delete(id);
    }
    return [...now.values()].sort((a, b) => a.id - b.id);
  }

  /** Adds a change: new and changed tenders, and ids that leave the scope. */
  change(changed: TestTender[], removed: number[] = []): void {
    this.changes.push({ changed, removed });
  }

  /** Moves the changes into the segments. */
  compact(): void {
    this.first += this.changes.length;
    this.base = this.tenders;
    this.changes = [];
  }

  /** Starts another epoch: all earlier cursors are unknown. */
  restart(tenders: TestTender[]): void {
    this.epoch = `${this.epoch}+`;
    this.base = tenders;
    this.changes = [];
    this.first = 0;
  }

  private async put(file: unknown): Promise<SegmentFileRef> {
    const bytes = encodeFile(file);
    const hash = await hashContent(bytes);
    this.files.set(`/api/sync/segments/${hash}`, bytes);
    return { hash, bytes: bytes.length, size: bytes.length, url: `/api/sync/segments/${hash}` };
  }

  private async manifest(): Promise<Omit<ManifestResponse, 'schema'> & { schema: number }> {
    const segments: ManifestResponse['segments'] = [];
    for (let at = 0; at < this.base.length; at += ROWS_PER_SEGMENT) {
      const some = this.base.slice(at, at + ROWS_PER_SEGMENT);
      const list = await this.put(packList(listRows(some)));
      segments.push({ rows: some.length, list, detail: await this.put(packDetails(detailRows(some))) });
    }
    const { schema, epoch, base, first } = this;
    const cursor = `${epoch} ${first}`;
    return {
      schema,
      scope: 'himachal-pradesh',
      epoch,
      cursor,
      rows: base.length,
      segments,
      checked: { hptenders: this.checkedAt },
      ...(this.assetOrigin && { assetOrigin: this.assetOrigin }),
    };
  }

  private delta(cursor: string, withDetails: boolean): Response {
    const [epoch, number] = cursor.split(' ');
    const at = Number(number) - this.first;
    if (epoch !== this.epoch || at < 0) return Response.json({ reset: true }, { status: 409 });
    const change = this.changes[at];
    if (!change) return new Response(null, { status: 204 });
    const { changed, removed } = change;
    const next = { epoch: this.epoch, cursor: `${epoch} ${Number(number) + 1}`, more: at + 1 < this.changes.length };
    const rows = {
      list: listRows(changed),
      details: detailRows(changed),
      removed,
      checked: { hptenders: this.checkedAt },
    };
    const held = this.stray ? [this.stray] : this.tendersAfter(at);
    const isLike = (tender: TestTender) => (other: TestTender) => tender.documentName === other.documentName;
    const like = changed.map((each) => held.findLast(isLike(each)) ?? held.at(-1));
    const delta =
      withDetails && this.sendsDifferences
        ? packDelta(
            { ...next, ...rows },
            like.map((each) => each?.id ?? null),
            (id) => detailRow(held.find((each) => each.id === id) as TestTender),
          )
        : packDelta({ ...next, ...rows });
    this.deltas.push({ withDetails, bytes: encodeFile(delta).length });
    return Response.json({ ...delta, schema: this.schema });
  }

  private async answer(url: URL): Promise<Response> {
    const file = this.files.get(url.pathname);
    if (file) return new Response(file);
    if (url.pathname === '/api/sync/himachal-pradesh') return Response.json(await this.manifest());
    if (url.pathname.endsWith('/delta')) {
      const { searchParams } = url;
      return this.delta(searchParams.get('cursor') ?? '', searchParams.get('details') === '1');
    }
    return Response.json({ code: 'NOT_FOUND', message: 'No such scope', requestId: 'r' }, { status: 404 });
  }

  readonly fetch = async (input: RequestInfo | URL): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : String(input), 'http://localhost');
    const path = url.hostname === 'localhost' ? url.pathname : url.origin + url.pathname;
    this.requestedPaths.push(path);
    const answer = () => this.answer(url);
    return (await this.fault(path, answer)) ?? answer();
  };

  /** Requested paths of segment files, in order. */
  get filesAsked(): string[] {
    return this.requestedPaths.filter((path) => path.startsWith('/api/sync/segments/'));
  }
}
