/** Whole devices: the app's database, outbox and exchange on a browser's storage, with a network that the test cuts. */
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { OutboxRequest } from '@nivida/contract/sync/outbox';
import { Dexie } from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { vi } from 'vitest';
import { DeviceDatabase } from '../../../pwa/src/data/device/schema.ts';
import { SessionsService } from '../../src/auth/sessions/sessions.service.ts';
import type { UserEntity } from '../../src/auth/user.entity.ts';
import type { TestApp } from '../support/start-app.ts';

const ORIGIN = 'http://localhost';
const DAY_MS = 86_400_000;

/** What a user does on a device. Records and tenders are numbers. */
export type Act =
  | { act: 'set'; record: number; field: 'note' | 'stage' | 'winner'; value: string | null }
  | { act: 'rate'; row: number; value: string | null }
  | { act: 'release'; release: number; paise: number }
  | { act: 'letter'; text: string | null }
  | { act: 'delete'; record: number }
  | { act: 'restore'; record: number }
  | { act: 'bookmark'; tender: number; wanted: boolean };

/** The network during a step. From request number `cutAt` on it is gone; that request or its answer is lost. */
export interface Network {
  cutAt?: number | undefined;
  lost?: 'request' | 'answer' | undefined;
  /** Each request arrives twice. */
  isTwice?: boolean | undefined;
  /** What the user does while the answer of request number `meanwhileAt` is on its way. */
  meanwhile?: Act | undefined;
  meanwhileAt?: number | undefined;
}

/** A request that reached the server. */
export interface Delivery {
  device: string;
  order: number;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
}

/** A change of a bookmark that a device has stored. */
export interface BookmarkAct {
  device: string;
  order: number;
  tenderId: string;
  wanted: boolean;
}

/** What devices and server share in one history. */
export class World {
  /** The true time in milliseconds. */
  now: number;
  serverClockError = 0;
  readonly deliveries: Delivery[] = [];
  readonly bookmarkActs: BookmarkAct[] = [];
  private order = 0;

  constructor(
    readonly app: TestApp,
    readonly user: UserEntity,
    readonly tenderIds: readonly string[],
    /** The address of the devices; each history has its own limits. */
    readonly address: string,
    start: number,
  ) {
    this.now = start;
  }

  get serverNow(): number {
    return this.now + this.serverClockError;
  }

  nextOrder(): number {
    this.order += 1;
    return this.order;
  }

  /** Sends a request to the server. */
  async deliver(device: string, request: Request, body: string): Promise<Response> {
    this.app.clock.now = new Date(this.serverNow);
    const order = this.nextOrder();
    const { pathname, search } = new URL(request.url);
    const reply = await this.app.app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      remoteAddress: this.address,
      ...(body !== '' && { payload: body }),
    });
    const { statusCode: status } = reply;
    if (status >= 500) throw new Error(`${request.method} ${pathname}: ${status} ${reply.body}`);
    const answer = reply.body === '' ? undefined : JSON.parse(reply.body);
    const sent = body === '' ? undefined : JSON.parse(body);
    this.deliveries.push({ device, order, path: `${request.method} ${pathname}`, body: sent, status, answer });
    return new Response(status === 204 ? null : reply.body, {
      status,
      headers: { 'content-type': 'application/json', date: new Date(this.serverNow).toUTCString() },
    });
  }
}

/** `localStorage` of a browser. */
class BrowserStorage {
  private readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
  key = (at: number) => [...this.items.keys()][at] ?? null;
  get length(): number {
    return this.items.size;
  }
}

/** `Request` of a page, which resolves paths. */
class PageRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, ORIGIN) : input, init);
  }
}

/** The modules of one start of the app; each start has its own. */
async function loadApp() {
  vi.resetModules();
  const [session, database, outbox, bookmarks, sync, exchange, rows, clock, tokens, worker] = await Promise.all([
    import('../../../pwa/src/data/session.ts'),
    import('../../../pwa/src/data/device/database.ts'),
    import('../../../pwa/src/data/outbox/outbox.ts'),
    import('../../../pwa/src/features/bookmarks/bookmarks.ts'),
    import('../../../pwa/src/features/bookmarks/bookmark-sync.ts'),
    import('../../../pwa/src/data/records/exchange-records.ts'),
    import('../../../pwa/src/data/records/record-rows.ts'),
    import('../../../pwa/src/data/clock.ts'),
    import('../../../pwa/src/data/outbox/send-tokens.ts'),
    import('../../../pwa/src/data/outbox/outbox-worker.ts'),
  ]);
  return { session, database, outbox, bookmarks, sync, exchange, rows, clock, tokens, worker };
}
type App = Awaited<ReturnType<typeof loadApp>>;

/** What a device has of its user. Deleted records are absent: their rows end at different times. */
export interface DeviceState {
  records: Record<string, { fields: unknown; stamps: unknown }>;
  bookmarks: string[];
  /** Ids of the outbox. */
  unsent: string[];
}

export class TestDevice {
  /** How far its clock is ahead in milliseconds. */
  clockError = 0;
  private readonly storage = new BrowserStorage();
  private readonly factory = new IDBFactory();
  private app: App | undefined;
  private signedInAt: number | undefined;

  constructor(
    readonly name: string,
    private readonly world: World,
    /** Whose device it is, and the firm whose records the user changes; the user's own ones without it. */
    private readonly user: UserEntity = world.user,
    private readonly firmId?: string,
  ) {}

  /** What the user does without a network. */
  act(act: Act): Promise<void> {
    return this.run({ cutAt: 0, lost: 'request' }, () => this.apply(act));
  }

  /** The sync of an open app. */
  sync(network: Network = {}): Promise<void> {
    return this.run(network, async ({ session, database, bookmarks, sync, exchange, clock, tokens }) => {
      const owner = session.currentOwner();
      const now = clock.currentTime().getTime();
      if (owner !== '') await database.withDatabase((db) => bookmarks.mergeBookmarksAtSignIn(db, owner, now));
      await sync.refreshBookmarks();
      await exchange.runRecordExchange().catch(ignoreCut);
      await tokens.refreshSendTokens().catch(ignoreCut);
    });
  }

  /** The service worker sends while the app is closed. */
  sendClosed(network: Network = {}): Promise<void> {
    return this.run(network, ({ worker, clock }) =>
      worker.sendFromWorker(clock.currentTime().getTime()).catch(ignoreCut),
    );
  }

  /** Ends the app: only its storage stays. */
  async restart(): Promise<void> {
    if (this.app) await this.run({}, ({ database }) => database.closeDatabase());
    this.app = undefined;
  }

  /** A later build has added a table to the database, and this build starts on it, as after a rollback. */
  async startAfterLaterBuild(): Promise<void> {
    await this.restart();
    await this.run({}, async ({ database }) => {
      await database.closeDatabase();
      const later = new DeviceDatabase('nivida');
      later.version(2).stores({ ofLaterBuild: 'id' });
      await later.open().finally(() => later.close());
    });
    this.app = undefined;
  }

  async state(): Promise<DeviceState> {
    let state: DeviceState | undefined;
    await this.run({}, async ({ database, session }) => {
      const owner = session.currentOwner();
      state = await database.withDatabase(async (db) => {
        const rows = await db.records.where('owner').equals(this.recordOwner(owner)).toArray();
        return {
          records: liveRecords(rows),
          bookmarks: (await db.bookmarks.where('owner').equals(owner).toArray()).map(({ tenderId }) => tenderId).sort(),
          unsent: (await db.outbox.toArray()).map(({ id }) => id),
        };
      });
    });
    return state as DeviceState;
  }

  private recordOwner(user: string): string {
    return this.firmId === undefined ? user : `${user} ${this.firmId}`;
  }

  /** All rows that the device has of its firm, and the note about a lost one. */
  async firmTraces(): Promise<{ rows: number; unsent: number; files: number; lost: unknown }> {
    let traces = { rows: 0, unsent: 0, files: 0, lost: [] as unknown };
    await this.run({}, async ({ database }) => {
      const owner = this.recordOwner(this.user.id);
      traces = await database.withDatabase(async (db) => ({
        rows: await db.records.where('owner').equals(owner).count(),
        unsent: await db.outbox.where('owner').equals(owner).count(),
        files: await db.documentFiles.where('owner').equals(owner).count(),
        lost: (await db.settings.get(`lost firms of ${this.user.id}`))?.value ?? [],
      }));
    });
    return traces;
  }

  private async apply(act: Act): Promise<void> {
    const { session, database, rows, bookmarks, clock } = this.app as App;
    const user = session.currentOwner();
    const now = clock.currentTime().getTime();
    await database.withDatabase(async (db) => {
      if (act.act === 'bookmark') {
        const { wanted } = act;
        const tenderId = this.world.tenderIds[act.tender] as string;
        const isBookmarked = (await db.bookmarks.get([user, tenderId])) !== undefined;
        await bookmarks.setBookmark(db, { owner: user, tenderId, wanted, summary: null }, now);
        const { name: device } = this;
        if (isBookmarked !== wanted)
          this.world.bookmarkActs.push({ device, order: this.world.nextOrder(), tenderId, wanted });
        return;
      }
      const owner = this.recordOwner(user);
      if (act.act === 'rate') {
        const rateId = recordIdFor('rate', String(act.row));
        await rows.writeRecords(db, owner, [{ kind: 'rate', id: rateId, change: { rate: act.value } }], now);
        return;
      }
      if (act.act === 'release') {
        const change = { depositId: recordIdFor('deposit', '0'), amountPaise: act.paise };
        await rows.writeRecords(
          db,
          owner,
          [{ kind: 'release', id: recordIdFor('release', String(act.release)), change }],
          now,
        );
        return;
      }
      if (act.act === 'letter') {
        await rows.writeRecords(
          db,
          owner,
          [{ kind: 'letter', id: recordIdFor('letter', '0'), change: { text: act.text } }],
          now,
        );
        return;
      }
      const id = recordIdFor('bid', String(act.record));
      if (act.act === 'delete') await rows.deleteRecord(db, owner, 'bid', id, now);
      else if (act.act === 'restore') await rows.restoreDeletedRecord(db, owner, 'bid', id, now);
      else await rows.writeRecords(db, owner, [{ kind: 'bid', id, change: { [act.field]: act.value } }], now);
    });
  }

  /** Runs `work` with this device's browser and ends what it has begun. */
  private async run(network: Network, work: (app: App) => Promise<void>): Promise<void> {
    await this.signIn();
    vi.stubGlobal('localStorage', this.storage);
    vi.stubGlobal('indexedDB', this.factory);
    vi.stubGlobal('IDBKeyRange', IDBKeyRange);
    vi.stubGlobal('Request', PageRequest);
    vi.stubGlobal('SyncManager', class {});
    Object.assign(Dexie.dependencies, { indexedDB: this.factory, IDBKeyRange });
    const browser = { onLine: true, serviceWorker: { getRegistration: async () => undefined }, locks: navigator.locks };
    vi.stubGlobal('navigator', browser);
    vi.stubGlobal('fetch', this.fetchOver(network, browser));
    vi.setSystemTime(this.world.now + this.clockError);
    if (!this.app) {
      this.app = await loadApp();
      await this.app.database.withDatabase(async () => undefined);
    }
    try {
      this.app.session.reloadSession();
      await work(this.app);
    } finally {
      await this.stopTimers();
      vi.unstubAllGlobals();
    }
  }

  /** Signed out, the loops stop. */
  private async stopTimers(): Promise<void> {
    const { session, outbox, exchange } = this.app as App;
    vi.stubGlobal('localStorage', new BrowserStorage());
    session.reloadSession();
    await outbox.exchangeChanges();
    await exchange.runRecordExchange();
    outbox.stopOutbox();
  }

  private fetchOver(network: Network, browser: { onLine: boolean }) {
    let count = 0;
    const lose = () => {
      // Reads are repeated only while the device is online.
      browser.onLine = false;
      return new TypeError('Failed to fetch');
    };
    return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const request = new PageRequest(input, init);
      const number = count;
      count += 1;
      const isCut = network.cutAt !== undefined && number >= network.cutAt;
      if (isCut && (network.lost === 'request' || number > (network.cutAt ?? 0))) throw lose();
      const body = await request.text();
      let response = await this.world.deliver(this.name, request, body);
      if (network.isTwice) response = await this.world.deliver(this.name, request, body);
      if (network.meanwhile && number === network.meanwhileAt) await this.apply(network.meanwhile);
      if (isCut) throw lose();
      return response;
    };
  }

  /** A token is renewed in time; one from the server's future is not accepted. */
  private async signIn(): Promise<void> {
    const { serverNow, app } = this.world;
    const { user } = this;
    const age = serverNow - (this.signedInAt ?? Number.NEGATIVE_INFINITY);
    if (age >= 0 && age < 5 * DAY_MS && this.storage.getItem('token') !== null) return;
    app.clock.now = new Date(serverNow);
    const token = await app.app.get(SessionsService).start(user, true, this.name);
    const { id, username, email, mobileNo } = user;
    this.storage.setItem('token', token);
    this.storage.setItem('user', JSON.stringify({ _id: id, username, email, mobileNo }));
    this.signedInAt = serverNow;
  }
}

function ignoreCut(error: unknown): void {
  if (!(error instanceof TypeError) && !(error instanceof Error && error.name === 'NetworkError')) throw error;
}

interface RecordState {
  id: string;
  fields: unknown;
  stamps: Record<string, string>;
  deleted?: string | undefined;
}

/** Records that are not deleted, by their ids. */
export function liveRecords(rows: readonly RecordState[]): DeviceState['records'] {
  const isLive = ({ stamps, deleted }: RecordState) =>
    deleted === undefined || Object.values(stamps).some((stamp) => stamp > deleted);
  const live = rows.filter(isLive).map(({ id, fields, stamps }) => [id, { fields, stamps }] as const);
  return Object.fromEntries(live.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The changes of bookmarks in a request. */
export const sentBookmarks = ({ path, body, status }: Delivery): OutboxRequest['bookmarks'] =>
  path === 'POST /api/outbox' && status === 200 ? (body as OutboxRequest).bookmarks : [];
