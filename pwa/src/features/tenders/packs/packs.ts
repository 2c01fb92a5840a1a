/**
 * The packs of this device: kept up to date, saved, replaced and removed; `sync.ts` and the screens that need them start
 * them. Over 200 lines: all of it shares the one queue and the one channel of this tab.
 */
import { INDIA } from '@nivida/contract/sync';
import { isHTTPError } from 'ky';
import { currentTime } from '../../../data/clock.ts';
import { DeviceUnavailable, onDevice } from '../../../data/device.ts';
import { type Evicted, isFull } from '../../../data/room.ts';
import { readSetting, writeSetting } from '../../../data/settings.ts';
import { askToPersist } from '../../../data/storage.ts';
import { showToast } from '../../../ui/toast.ts';
import { EngineClient } from '../engine/client.ts';
import { CorruptFile, OtherSchema } from './fetch.ts';
import { claim, type Message, openChannel, release, whenLeading } from './leader.ts';
import { type RefreshTools, refreshScope } from './refresh.ts';
import { dropParts, isComplete, readScopes, removeScope, ScopeRemoved, startFirstCopy, wantScope } from './scopes.ts';
import { type Problem, scopeName, showRow, showRows, showRun, usePacks } from './status.ts';

/** A copy confirmed so recently is not asked for again by itself. */
const FRESH_MS = 60_000;
const RETRY_FIRST_MS = 15_000;
const RETRY_LAST_MS = 16 * 60_000;
/** A leader that has not answered for so long no longer runs. */
const MAX_ANSWER_MS = 10_000;
/** A refresh without a step for so long is stuck: each of its calls has a shorter deadline. */
const MAX_STEP_MS = 5 * 60_000;
/** Scopes that the user has removed: they do not come back by themselves. */
const REMOVED = 'removed scopes';

let isLeading = false;
/** Takes the lead from a tab that no longer answers. */
let takeOver: () => void = () => undefined;
/** Runs out when the leader does not answer. */
let answerTimer: ReturnType<typeof setTimeout> | undefined;
/** What this tab has asked the leader for. */
let askedScope: string | null = null;
/** When the running refresh made its last step, by `performance.now`, which a changed clock does not move; null while none runs. */
let steppedAt: number | null = null;
let tell: (message: Message) => void = () => undefined;
let queue: Promise<void> = Promise.resolve();
let retryMs = RETRY_FIRST_MS;
let retry: ReturnType<typeof setTimeout> | undefined;

async function readAll(): Promise<void> {
  showRows(await onDevice(readScopes));
}

function isStuck(): boolean {
  return steppedAt !== null && performance.now() - steppedAt > MAX_STEP_MS;
}

function hear(message: Message): void {
  if (message.type === 'refresh' && isLeading && !isStuck()) {
    tell({ type: 'heard', scope: message.scope });
    refreshPacks(message.scope);
  }
  if (message.type === 'heard' || message.type === 'run') stopWaiting();
  if (message.type === 'changed') void readAll().catch(() => undefined);
  if (message.type === 'run') showRun(message.scope, message.isRunning, message.problem as Problem | null);
}

function stopWaiting(): void {
  clearTimeout(answerTimer);
  answerTimer = undefined;
}

/** Asks the leader, and takes its place when it does not answer. */
function askLeader(scope: string | null): void {
  askedScope = scope;
  tell({ type: 'refresh', scope });
  answerTimer ??= setTimeout(() => {
    answerTimer = undefined;
    takeOver();
  }, MAX_ANSWER_MS);
}

let started: Promise<void> | undefined;

/** Reads what is there, then leads or listens; once. Where the browser keeps nothing this does nothing more. */
export function startPacks(): Promise<void> {
  started ??= start();
  return started;
}

function letPassRemoved(error: unknown): void {
  if (!(error instanceof ScopeRemoved)) throw error;
}

async function start(): Promise<void> {
  try {
    await onDevice(async (db) => {
      const firsts = (await readScopes(db)).filter(({ current }) => !current);
      // the app was closed in the middle: what had come until then can be searched
      for (const { scope } of firsts) await startFirstCopy(db, scope).catch(letPassRemoved);
    });
    await readAll();
  } catch {
    usePacks.setState({ isRead: true, scopes: {} });
    return;
  }
  tell = openChannel(hear);
  takeOver = whenLeading(
    () => {
      isLeading = true;
      stopWaiting();
      refreshPacks(askedScope);
      if (askedScope !== null) refreshPacks(null);
      askedScope = null;
    },
    () => {
      isLeading = false;
    },
  );
}

function problemOf(error: unknown): Problem {
  if (error instanceof OtherSchema) return 'schema';
  if (error instanceof CorruptFile) return 'corrupt';
  if (isFull(error)) return 'full';
  return isHTTPError(error) ? 'server' : 'network';
}

function run(scope: string, isRunning: boolean, problem: Problem | null): void {
  showRun(scope, isRunning, problem);
  tell({ type: 'run', scope, isRunning, problem });
}

function tellEvicted({ scopes, tenders }: Evicted): void {
  const names = scopes.map(scopeName).join(', ');
  if (names) showToast({ text: `This phone is full: ${names} was removed to make room.` });
  else if (tenders > 0) showToast({ text: 'This phone is full: opened tenders were removed. Bookmarked ones stay.' });
  void readAll().catch(() => undefined);
  for (const scope of scopes) tell({ type: 'changed', scope });
}

async function refreshOne(scope: string): Promise<void> {
  const db = await onDevice(async (opened) => opened);
  let claimed = navigator.locks ? null : await claim(db, scope, Date.now(), null);
  // the other tab may be closed in the middle
  if (claimed === false) return retryLater();
  const engine = EngineClient.start();
  const tools: RefreshTools = {
    db,
    build: (list, details) => engine.build(list, details),
    details: (pack, ids) => engine.details(pack, ids),
    onStep: (row) => {
      steppedAt = performance.now();
      showRow(row);
      tell({ type: 'changed', scope });
      if (claimed) void claim(db, scope, Date.now(), claimed).then((at) => (claimed = at || null));
    },
    onEvicted: tellEvicted,
  };
  run(scope, true, null);
  steppedAt = performance.now();
  try {
    await refreshScope(scope, tools);
    run(scope, false, null);
    // another scope may have been replaced by this one
    await readAll();
    retryMs = RETRY_FIRST_MS;
  } catch (error) {
    if (error instanceof ScopeRemoved || error instanceof DeviceUnavailable) return;
    const problem = problemOf(error);
    run(scope, false, problem);
    if (problem === 'network' || problem === 'server') retryLater();
  } finally {
    steppedAt = null;
    engine.stop();
    if (claimed) await release(db, scope).catch(() => undefined);
  }
}

/** Tries again by itself, ever more seldom; the next start, connection or return to the app does so at once. */
function retryLater(): void {
  clearTimeout(retry);
  retry = setTimeout(() => refreshPacks(null), retryMs);
  retryMs = Math.min(2 * retryMs, RETRY_LAST_MS);
}

function isFresh(scope: string): boolean {
  const row = usePacks.getState().scopes[scope]?.row;
  if (!row?.current || row.next || !isComplete(row.current, row.parts)) return false;
  return Math.abs(currentTime().getTime() - row.savedAt) < FRESH_MS;
}

/** Brings a scope, or with null every scope that is a minute old, up to date, in this tab or in the one that leads. */
export function refreshPacks(scope: string | null = null): void {
  if (!isLeading) {
    askLeader(scope);
    return;
  }
  // some devices never send an `online` event
  if (!navigator.onLine) {
    retryLater();
    return;
  }
  queue = queue.then(async () => {
    await readAll();
    const all = Object.keys(usePacks.getState().scopes);
    const wanted = scope === null ? all.filter((each) => !isFresh(each)) : all.filter((each) => each === scope);
    for (const each of wanted) await refreshOne(each);
  });
  queue = queue.catch(() => undefined);
}

async function removedScopes(): Promise<string[]> {
  const value = await readSetting(REMOVED);
  return Array.isArray(value) ? value.map(String) : [];
}

async function keep(scope: string, replaces: string | null): Promise<void> {
  await onDevice((db) => wantScope(db, scope, replaces));
  await readAll();
  tell({ type: 'changed', scope });
  refreshPacks(scope);
}

/** The state of which this device keeps a pack; one at a time is free (RESOLUTIONS R46), 'india' does not count. */
export function keptState(): string | undefined {
  return Object.keys(usePacks.getState().scopes).find((scope) => scope !== INDIA);
}

/**
 * Saves a scope because the user asked for it. A state takes the place of another one, as soon as it is here: ask
 * before. Throws DeviceUnavailable where the browser keeps nothing.
 */
export async function savePack(scope: string): Promise<void> {
  const other = keptState();
  void askToPersist();
  await writeSetting(
    REMOVED,
    (await removedScopes()).filter((each) => each !== scope),
  );
  await keep(scope, scope === INDIA || other === undefined || other === scope ? null : other);
}

/** Scopes that were fetched anew by this page because their packs were unreadable: once is enough. */
const renewed = new Set<string>();

/** Fetches a scope anew, at most once while the app is open, because the engine could not read its packs. */
export async function renewPack(scope: string): Promise<void> {
  if (renewed.has(scope)) return;
  renewed.add(scope);
  await onDevice((db) => dropParts(db, scope));
  await readAll();
  tell({ type: 'changed', scope });
  refreshPacks(scope);
}

/** Removes a scope because the user asked for it. */
export async function removePack(scope: string): Promise<void> {
  await writeSetting(REMOVED, [...new Set([...(await removedScopes()), scope])]);
  await onDevice((db) => removeScope(db, scope));
  await readAll();
  tell({ type: 'changed', scope });
}

/**
 * Saves a state that the user is looking at, unless this device keeps another one or all of India, or the user has
 * removed it before.
 */
export async function savePackUnasked(scope: string): Promise<void> {
  const { scopes } = usePacks.getState();
  if (Object.keys(scopes).length > 0 || (await removedScopes()).includes(scope)) return;
  await keep(scope, null);
}
