/**
 * Generated histories of two devices and a server: edits and deletions at any moment, requests that are cut before or
 * after the server has stored them, requests that arrive twice, and clocks, also the server's, that are days wrong or are
 * put back.
 */
import { expect, test } from 'vitest';
import { isAhead, laterStamp, nextStamp } from './hybrid-clock.ts';
import {
  acceptChange,
  type BidRecordState,
  changeFields,
  correctState,
  deleteState,
  isSameState,
  latestStamp,
  mergeRecords,
  stampsOf,
} from './merge-records.ts';

const HISTORIES = 10_000;
const STEPS = 24;
const IDS = ['1', '2'];
const FIELDS = ['note', 'stage', 'winner'];
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Numbers from 0 to 1 (mulberry32); the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Change {
  id: string;
  state: BidRecordState;
}

class Server {
  readonly records = new Map<string, BidRecordState & { number: number }>();
  /** The latest stamp and value that was ever accepted for each field and deletion. */
  readonly accepted = new Map<string, { stamp: string; value: unknown }>();
  private number = 0;
  /** How far its clock is ahead in milliseconds. */
  clockError = 0;

  apply(changes: readonly Change[], trueNow: number) {
    const now = trueNow + this.clockError;
    const before = this.number;
    const results = changes.map(({ id, state }) => {
      const stored = this.records.get(id);
      const merged = acceptChange(stored, state, now);
      if (merged === 'ahead') return { latest: stored && latestStamp(stored) };
      this.noteAccepted(id, state);
      if (!stored || !isSameState(stored, merged)) this.records.set(id, { ...merged, number: ++this.number });
      return 'accepted' as const;
    });
    return { results, before, after: this.number, now };
  }

  private noteAccepted(id: string, { fields, stamps, deleted }: BidRecordState): void {
    const entries = Object.entries(stamps).map(([name, stamp]) => [name, stamp, fields[name]] as const);
    if (deleted !== undefined) entries.push(['(deleted)', deleted, undefined]);
    for (const [name, stamp, value] of entries) {
      const key = `${id} ${name}`;
      const known = this.accepted.get(key);
      if (!known || stamp > known.stamp) this.accepted.set(key, { stamp, value });
    }
  }

  changesAfter(number: number): { changes: Change[]; cursor: number } {
    const changed = [...this.records].filter(([, state]) => state.number > number);
    return { changes: changed.map(([id, state]) => ({ id, state })), cursor: this.number };
  }
}

class Device {
  readonly records = new Map<string, BidRecordState>();
  readonly unsent = new Map<string, number>();
  private latest: string | undefined;
  private cursor = 0;
  private changes = 0;

  constructor(
    private readonly name: string,
    private readonly server: Server,
    /** The error of its clock in milliseconds. */
    public clockError: number,
  ) {}

  private put(id: string, change: (present: BidRecordState | undefined, stamp: string) => BidRecordState, now: number) {
    const present = this.records.get(id);
    const latest = laterStamp(this.latest, present && latestStamp(present));
    const stamp = nextStamp(latest, now + this.clockError, this.name);
    this.latest = stamp;
    this.records.set(id, change(present, stamp));
    this.unsent.set(id, ++this.changes);
  }

  edit(id: string, field: string, value: unknown, now: number): void {
    this.put(id, (present, stamp) => changeFields(present, { [field]: value }, stamp), now);
  }

  remove(id: string, now: number): void {
    if (this.records.has(id))
      this.put(id, (present, stamp) => deleteState(present ?? { fields: {}, stamps: {} }, stamp), now);
  }

  /** Sends what is unsent. `cut`: the request or its answer is lost. `isTwice`: the request arrives twice. */
  send(now: number, { cut, isTwice }: { cut: 'request' | 'answer' | 'none'; isTwice: boolean }): void {
    const sent = [...this.unsent];
    if (sent.length === 0 || cut === 'request') return;
    const changes = sent.map(([id]) => ({ id, state: this.records.get(id) as BidRecordState }));
    const response = this.server.apply(changes, now);
    if (isTwice) this.server.apply(changes, now + 1);
    if (cut === 'answer') return;
    for (const [index, [id, at]] of sent.entries())
      if (response.results[index] === 'accepted' && this.unsent.get(id) === at) this.unsent.delete(id);
    if (response.before === this.cursor) this.cursor = response.after;
    for (const [index, [id]] of sent.entries()) {
      const result = response.results[index];
      if (typeof result === 'object') this.correct(id, response.now, result.latest);
    }
  }

  private correct(id: string, now: number, floor: string | undefined): void {
    this.records.set(id, correctState(this.records.get(id) as BidRecordState, now, this.name, floor));
    const stamps = [...this.records.values()].flatMap(stampsOf).filter((stamp) => !isAhead(stamp, now));
    this.latest = stamps.reduce<string | undefined>(laterStamp, undefined);
  }

  receive(isCut: boolean): void {
    const { changes, cursor } = this.server.changesAfter(this.cursor);
    if (isCut) return;
    for (const { id, state } of changes) {
      const present = this.records.get(id);
      const merged = present ? mergeRecords(present, state) : mergeRecords({ fields: {}, stamps: {} }, state);
      this.records.set(id, merged);
      this.latest = laterStamp(this.latest, latestStamp(merged));
    }
    this.cursor = cursor;
  }
}

const plain = (records: ReadonlyMap<string, BidRecordState>) =>
  Object.fromEntries(
    [...records]
      .map(([id, { fields, stamps, deleted }]) => [id, { fields, stamps, deleted: deleted ?? null }] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The error of a clock: none, seconds, or up to 20 days in either direction. */
function clockErrorOf(random: () => number): number {
  const kind = random();
  if (kind < 0.3) return 0;
  if (kind < 0.5) return Math.round((random() - 0.5) * 2 * MINUTE);
  return Math.round((random() - 0.5) * 40 * DAY);
}

function playHistory(seed: number): { server: Server; devices: Device[]; isSeenEditLost: boolean } {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const server = new Server();
  const devices = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'].map(
    (name) => new Device(name, server, clockErrorOf(random)),
  );
  let now = Date.parse('2026-04-15T10:00:00Z');
  let isSeenEditLost = false;
  for (let step = 0; step < STEPS; step++) {
    now += Math.round(random() * (random() < 0.2 ? 3 * DAY : 10 * MINUTE));
    const device = pick(devices);
    const action = random();
    if (action < 0.4) device.edit(pick(IDS), pick(FIELDS), random() < 0.15 ? null : `${seed} ${step}`, now);
    else if (action < 0.48) device.remove(pick(IDS), now);
    else if (action < 0.55) device.clockError = clockErrorOf(random);
    else if (action < 0.57) server.clockError = random() < 0.5 ? 0 : Math.round(random() * 10 * DAY);
    else if (action < 0.8) device.send(now, { cut: pick(['request', 'answer', 'none']), isTwice: random() < 0.3 });
    else device.receive(random() < 0.3);
  }
  // In the end both have a connection. The last edit of a device that has received everything must win.
  const exchange = () => {
    for (const device of devices) {
      for (let time = 0; device.unsent.size > 0 && time < 3; time++) {
        now += 1;
        device.send(now, { cut: 'none', isTwice: false });
      }
    }
    for (const device of devices) device.receive(false);
  };
  exchange();
  const [last] = devices;
  last?.edit('1', 'note', 'the last edit', now);
  exchange();
  isSeenEditLost = server.records.get('1')?.fields.note !== 'the last edit';
  return { server, devices, isSeenEditLost };
}

test(`after ${HISTORIES} histories both devices equal the server, and no accepted edit is lost to an older one`, () => {
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { server, devices, isSeenEditLost } = playHistory(seed);
    const onServer = plain(server.records);
    const isEqual = devices.every((device) => JSON.stringify(plain(device.records)) === JSON.stringify(onServer));
    const lost = [...server.accepted].filter(([key, { stamp, value }]) => {
      const [id = '', name = ''] = key.split(' ');
      const record = server.records.get(id);
      if (name === '(deleted)') return record?.deleted !== stamp;
      return record?.stamps[name] !== stamp || record.fields[name] !== value;
    });
    const unsent = devices.map((device) => device.unsent.size);
    if (isEqual && lost.length === 0 && !isSeenEditLost && unsent.every((size) => size === 0)) continue;
    expect({ seed, lost, isSeenEditLost, unsent, devices: devices.map((device) => plain(device.records)) }).toEqual({
      ...{ seed, lost: [], isSeenEditLost: false, unsent: [0, 0] },
      devices: [onServer, onServer],
    });
  }
}, 120_000);
