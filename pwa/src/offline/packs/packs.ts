/**
 * The offline packs of this device: starts, updates, saves, replaces and removes them. All functions share
 * one queue and one channel per tab.
 */
import { t } from '@lingui/core/macro';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { isHTTPError } from 'ky';
import { storeApp } from '../../data/app-files/store-app.ts';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { isMeteredConnection, onConnectionChange } from '../../data/device/connection.ts';
import {
  DatabaseUnavailableError,
  hasDatabase,
  useDatabaseState,
  whenDatabaseIsWanted,
  withDatabase,
} from '../../data/device/database.ts';
import { readSetting, WIFI_ONLY_KEY, writeSetting } from '../../data/device/settings.ts';
import { type EvictedData, isQuotaExceeded, onEvicted } from '../../data/device/storage-quota.ts';
import { GrowingPause } from '../../data/server/growing-pause.ts';
import { onReachable } from '../../data/server/reachability.ts';
import { EngineClient } from '../engine/engine-client.ts';
import { CorruptPackFileError, PackNotReadyError, SchemaMismatchError } from './fetch-pack.ts';
import { claimScope, openTabChannel, releaseScope, runAsLeader, type TabMessage } from './leader.ts';
import { type PackProblem, scopeName, setReceived, setRow, setRows, setRun, usePacks } from './pack-status.ts';
import {
  activateFirstPack,
  addScopeRow,
  deletePackFiles,
  endPausesOfComplete,
  isScopeUnfinished,
  readScopes,
  removeScope,
  ScopeRemovedError,
  setScopePaused,
} from './pack-store.ts';
import { type RefreshDependencies, refreshScope } from './refresh-scope.ts';

/** A pack that the server confirmed less than a minute ago is not refreshed automatically. */
const FRESH_FOR_MS = 60_000;
const FIRST_RETRY_MS = 15_000;
const MAX_RETRY_MS = 16 * 60_000;
/** Maximum wait before a pack that the server is preparing is requested again. */
const MAX_PREPARING_MS = 60_000;
/** The leader counts as dead when it does not answer within this time. */
const MAX_ANSWER_MS = 10_000;
/**
 * A refresh counts as stuck when it makes no step within this time. Each of its calls has a shorter deadline.
 */
const MAX_STEP_MS = 5 * 60_000;
/** Name of the setting that lists the scopes the user has removed. They are not saved automatically again. */
const REMOVED_SCOPES_KEY = 'removed scopes';
/** Maximum number of scopes that are saved automatically. */
const MAX_AUTOMATIC_SCOPES = 3;
/** Progress is shown each time this many uncompressed bytes have arrived. */
const PROGRESS_STEP_BYTES = 4_096;

/** A message for the user. */
export interface PackMessage {
  text: string;
  /** The message is shown again after another message has covered it. */
  returns?: boolean;
}

const waitingMessages: PackMessage[] = [];
let showMessage = (message: PackMessage): void => void waitingMessages.push(message);

/** Sets the function that shows messages of packs. Earlier messages have waited for it and are shown now. */
export function onPackMessage(show: (message: PackMessage) => void): void {
  showMessage = show;
  waitingMessages.splice(0).forEach(show);
}

let isLeading = false;
/** Steals the lead from a tab that no longer answers. */
let takeLeadership: () => void = () => undefined;
/** Fires when the leader does not answer. */
let leaderTimer: ReturnType<typeof setTimeout> | undefined;
/** The scope that this tab last requested from the leader; null is all scopes. */
let requestedScope: string | null = null;
/**
 * Time of the running refresh's last step, from `performance.now`, which ignores clock changes. Null while
 * none runs.
 */
let lastStepAt: number | null = null;
/** The refresh that runs in this tab. */
let running: { scope: string; abort: AbortController } | undefined;
let postToTabs: (message: TabMessage) => void = () => undefined;
let queue: Promise<void> = Promise.resolve();
/** An update of all scopes waits in the queue. */
let isAllQueued = false;
const retryPause = new GrowingPause(FIRST_RETRY_MS, MAX_RETRY_MS);
let retryTimer: ReturnType<typeof setTimeout> | undefined;
/** The next attempt waits because the network failed, not the server. */
let isWaitingForNetwork = false;
/** For each pack that the server is preparing: how long the last wait was. */
const preparingMs = new Map<string, number>();
const preparingTimers = new Map<string, ReturnType<typeof setTimeout>>();

async function reloadStatus(): Promise<void> {
  setRows(await withDatabase(readScopes));
  const { scopes } = usePacks.getState();
  if (running && (!scopes[running.scope] || scopes[running.scope]?.row.isPaused)) running.abort.abort();
}

function isRefreshStuck(): boolean {
  return lastStepAt !== null && performance.now() - lastStepAt > MAX_STEP_MS;
}

function handleTabMessage(message: TabMessage): void {
  if (message.type === 'refresh' && isLeading && !isRefreshStuck()) {
    postToTabs({ type: 'heard', scope: message.scope });
    refreshPacks(message.scope, message.isForced);
  }
  if (message.type === 'bytes') setReceived(message.scope, message.file, message.received);
  if (message.type === 'heard' || message.type === 'run') stopLeaderTimer();
  if (message.type === 'changed') void reloadStatus().catch(() => undefined);
  if (message.type === 'run') setRun(message.scope, message.isRunning, message.problem as PackProblem | null);
  if (message.type === 'wifiOnly') applyWifiOnly(message.isWifiOnly);
}

/** Applies the setting in this tab. Stops the running download if the setting forbids it. */
function applyWifiOnly(isWifiOnly: boolean): void {
  usePacks.setState({ isWifiOnly });
  if (isHeldBack()) running?.abort.abort();
}

function stopLeaderTimer(): void {
  clearTimeout(leaderTimer);
  leaderTimer = undefined;
}

/** Asks the leading tab. Becomes the leader when it does not answer. */
function requestFromLeader(scope: string | null, isForced: boolean): void {
  requestedScope = scope;
  postToTabs({ type: 'refresh', scope, isForced });
  leaderTimer ??= setTimeout(() => {
    leaderTimer = undefined;
    takeLeadership();
  }, MAX_ANSWER_MS);
}

let startPromise: Promise<void> | undefined;

/**
 * Reads the stored packs, then leads or listens. Runs once. A new device has no database yet; then this waits
 * for the first use of the database.
 */
export function startPacks(): Promise<void> {
  startPromise ??= startPackSync();
  return startPromise;
}

function ignoreScopeRemoved(error: unknown): void {
  if (!(error instanceof ScopeRemovedError)) throw error;
}

/** Shows that storage does not answer, and starts again when it does. */
function retryWhenStorageAnswers(): void {
  if (!useDatabaseState.getState().isSilent) return;
  showMessage({ text: t`The storage of this browser does not answer. What is saved here cannot be shown now.` });
  const unsubscribe = useDatabaseState.subscribe(({ state }) => {
    if (state !== 'ready') return;
    unsubscribe();
    startPromise = startPackSync();
  });
}

async function startPackSync(): Promise<void> {
  onEvicted(announceEvicted);
  if (await hasDatabase()) return openPacks();
  usePacks.setState({ isRead: true, scopes: {} });
  void whenDatabaseIsWanted().then(() => {
    startPromise = openPacks();
  });
}

async function openPacks(): Promise<void> {
  try {
    await withDatabase(async (db) => {
      const firsts = (await readScopes(db)).filter(({ current }) => !current);
      // The app was closed during a first fetch. The segments that have arrived can be searched.
      for (const { scope } of firsts) await activateFirstPack(db, scope).catch(ignoreScopeRemoved);
    });
    usePacks.setState({ isWifiOnly: (await readSetting(WIFI_ONLY_KEY)) === true });
    await reloadStatus();
  } catch {
    usePacks.setState({ isRead: true, scopes: {} });
    retryWhenStorageAnswers();
    return;
  }
  onConnectionChange(() => {
    if (isHeldBack()) running?.abort.abort();
    else if (usePacks.getState().isWifiOnly) refreshPacks();
  });
  onReachable(() => {
    if (isWaitingForNetwork) retryNow();
  });
  postToTabs = openTabChannel(handleTabMessage);
  takeLeadership = runAsLeader(
    () => {
      isLeading = true;
      stopLeaderTimer();
      refreshPacks(requestedScope);
      if (requestedScope !== null) refreshPacks(null);
      requestedScope = null;
    },
    () => {
      isLeading = false;
    },
  );
}

function packProblem(error: unknown): PackProblem {
  if (error instanceof PackNotReadyError) return 'preparing';
  if (error instanceof SchemaMismatchError) return 'schema';
  if (error instanceof CorruptPackFileError) return 'corrupt';
  if (isQuotaExceeded(error)) return 'full';
  return isHTTPError(error) ? 'server' : 'network';
}

function publishRun(scope: string, isRunning: boolean, problem: PackProblem | null): void {
  setRun(scope, isRunning, problem);
  postToTabs({ type: 'run', scope, isRunning, problem });
}

function announceEvicted({ scopes }: EvictedData): void {
  const names = scopes.map(scopeName).join(', ');
  // The action that needed the room shows its own message after this one, so this one returns.
  showMessage({
    text: names
      ? t`This phone is full: ${names} was removed to make room.`
      : t`This phone is full: opened tenders were removed. Bookmarked ones stay.`,
    returns: true,
  });
  void reloadStatus().catch(() => undefined);
  for (const scope of scopes) postToTabs({ type: 'changed', scope });
}

/** Returns a function that shows a file's progress in all tabs, in steps. */
function progressReporter(scope: string): (file: string, received: number) => void {
  const shown = new Map<string, number>();
  return (file, received) => {
    if (Math.abs(received - (shown.get(file) ?? 0)) < PROGRESS_STEP_BYTES) return;
    shown.set(file, received);
    setReceived(scope, file, received);
    postToTabs({ type: 'bytes', scope, file, received });
  };
}

async function refreshScopeAsLeader(scope: string, isForced: boolean): Promise<void> {
  const db = await withDatabase(async (opened) => opened);
  let claimed = navigator.locks ? null : await claimScope(db, scope, Date.now(), null);
  // The other tab may be closed before it finishes.
  if (claimed === false) return retryLater(false);
  const engine = EngineClient.start();
  const abort = new AbortController();
  running = { scope, abort };
  const showProgress = progressReporter(scope);
  const tools: RefreshDependencies = {
    db,
    build: (list, details) => engine.build(list, details),
    details: (pack, ids) => engine.details(pack, ids),
    onStep: (row) => {
      lastStepAt = performance.now();
      setRow(row);
      postToTabs({ type: 'changed', scope });
      if (claimed) void claimScope(db, scope, Date.now(), claimed).then((at) => (claimed = at || null));
    },
    download: {
      signal: abort.signal,
      onBytes: (file, received, now) => {
        lastStepAt = performance.now();
        if (now > 0) retryPause.reset();
        showProgress(file, received);
      },
    },
  };
  publishRun(scope, true, null);
  lastStepAt = performance.now();
  try {
    await refreshScope(scope, tools);
    publishRun(scope, false, null);
    await reloadStatus();
    retryPause.reset();
    preparingMs.delete(scope);
  } catch (error) {
    if (error instanceof ScopeRemovedError || error instanceof DatabaseUnavailableError) return;
    // The download was paused or removed, or the phone left Wi-Fi.
    if (abort.signal.aborted) return publishRun(scope, false, null);
    const problem = packProblem(error);
    publishRun(scope, false, problem);
    if (error instanceof PackNotReadyError) retryWhenPrepared(scope, error, isForced);
    if (problem === 'network' || problem === 'server') retryLater(problem === 'network');
  } finally {
    lastStepAt = null;
    running = undefined;
    engine.stop();
    if (claimed) await releaseScope(db, scope).catch(() => undefined);
  }
}

/**
 * Asks again for a pack that the server is preparing. The first wait is the server's; later ones are longer.
 */
function retryWhenPrepared(scope: string, { retryMs: asked }: PackNotReadyError, isForced: boolean): void {
  const ms = Math.min(Math.max(asked, 1.5 * (preparingMs.get(scope) ?? 0)), MAX_PREPARING_MS);
  preparingMs.set(scope, ms);
  clearTimeout(preparingTimers.get(scope));
  // The random part spreads devices that the server refused in the same second.
  const wait = ms * (1 + Math.random() / 4);
  preparingTimers.set(
    scope,
    setTimeout(() => refreshPacks(scope, isForced), wait),
  );
}

function retryNow(): void {
  clearTimeout(retryTimer);
  isWaitingForNetwork = false;
  refreshPacks(null);
}

/**
 * Schedules a retry with exponential backoff. Arriving bytes reset the backoff. A new start, a new connection
 * and a return to the app refresh at once. After a network failure, the next answer of the server does too.
 */
function retryLater(isForNetwork: boolean): void {
  clearTimeout(retryTimer);
  isWaitingForNetwork ||= isForNetwork;
  retryTimer = setTimeout(retryNow, retryPause.ms);
  retryPause.grow();
}

function isScopeFresh(scope: string): boolean {
  const row = usePacks.getState().scopes[scope]?.row;
  if (!row || isScopeUnfinished(row)) return false;
  return Math.abs(currentTime().getTime() - row.savedAt) < FRESH_FOR_MS;
}

/** Whether downloads wait for Wi-Fi. */
function isHeldBack(): boolean {
  return usePacks.getState().isWifiOnly && isMeteredConnection();
}

/**
 * Updates one scope, or with null every scope that is not fresh. The leading tab does the work. `isForced`
 * updates also on a mobile connection that the user has excluded.
 */
export function refreshPacks(scope: string | null = null, isForced = false): void {
  if (!isLeading) {
    requestFromLeader(scope, isForced);
    return;
  }
  if (isHeldBack() && !isForced) return;
  // The `online` event retries, but some devices never send it.
  if (!navigator.onLine) {
    retryLater(true);
    return;
  }
  const isOfAll = scope === null && !isForced;
  if (isOfAll && isAllQueued) return;
  isAllQueued ||= isOfAll;
  queue = queue.then(async () => {
    if (isOfAll) isAllQueued = false;
    await reloadStatus();
    await endNeedlessPauses();
    const { scopes } = usePacks.getState();
    const all = Object.keys(scopes).filter((each) => !scopes[each]?.row.isPaused);
    const dueScopes = scope === null ? all.filter((each) => !isScopeFresh(each)) : all.filter((each) => each === scope);
    for (const each of dueScopes) {
      // The connection or the setting may have changed while the scope before was updated.
      if (isHeldBack() && !isForced) return;
      await refreshScopeAsLeader(each, isForced);
    }
  });
  queue = queue.catch(() => undefined);
}

/** Resumes paused scopes that are complete, so that they can be updated. */
async function endNeedlessPauses(): Promise<void> {
  const rows = Object.values(usePacks.getState().scopes).map(({ row }) => row);
  if (!rows.some((row) => row.isPaused && !isScopeUnfinished(row))) return;
  await withDatabase(endPausesOfComplete);
  await reloadStatus();
}

async function removedScopes(): Promise<string[]> {
  const value = await readSetting(REMOVED_SCOPES_KEY);
  return Array.isArray(value) ? value.map(String) : [];
}

async function addScope(scope: string): Promise<void> {
  await startPacks();
  await withDatabase(async (db) => {
    await addScopeRow(db, scope);
    await setScopePaused(db, scope, false);
  });
  await reloadStatus();
  postToTabs({ type: 'changed', scope });
  refreshPacks(scope);
}

/**
 * Saves a scope at the user's request; the other scopes stay. All India replaces the states once it is
 * complete. Throws DatabaseUnavailableError where the browser has no database.
 */
export async function savePack(scope: string): Promise<void> {
  void requestPersistentStorage();
  // Without the stored app the state cannot be searched offline.
  void storeApp().catch(() => undefined);
  await writeSetting(
    REMOVED_SCOPES_KEY,
    (await removedScopes()).filter((each) => each !== scope),
  );
  await addScope(scope);
}

/** Stops a scope's downloads until they are resumed. The bytes that have arrived stay. */
export async function pausePack(scope: string): Promise<void> {
  await withDatabase((db) => setScopePaused(db, scope, true));
  await reloadStatus();
  postToTabs({ type: 'changed', scope });
}

/** Resumes a scope's downloads. The user asked for it, so they run on a mobile connection too. */
export async function resumePack(scope: string): Promise<void> {
  await withDatabase((db) => setScopePaused(db, scope, false));
  await reloadStatus();
  postToTabs({ type: 'changed', scope });
  refreshPacks(scope, true);
}

/**
 * Sets whether downloads wait on a mobile connection. The other tabs learn it, because one of them may be the
 * leader.
 */
export async function setWifiOnly(isWifiOnly: boolean): Promise<void> {
  applyWifiOnly(isWifiOnly);
  postToTabs({ type: 'wifiOnly', scope: null, isWifiOnly });
  await writeSetting(WIFI_ONLY_KEY, isWifiOnly);
  if (!isHeldBack()) refreshPacks();
}

/** Scopes that this page has already fetched again because their packs were unreadable. */
const renewedScopes = new Set<string>();

/** Fetches a scope again because the engine could not read its packs; at most once while the app is open. */
export async function refetchPack(scope: string): Promise<void> {
  if (renewedScopes.has(scope)) return;
  renewedScopes.add(scope);
  await withDatabase((db) => deletePackFiles(db, scope));
  await reloadStatus();
  postToTabs({ type: 'changed', scope });
  refreshPacks(scope);
}

/** Removes a scope at the user's request. */
export async function removePack(scope: string): Promise<void> {
  await writeSetting(REMOVED_SCOPES_KEY, [...new Set([...(await removedScopes()), scope])]);
  await withDatabase((db) => removeScope(db, scope));
  await reloadStatus();
  postToTabs({ type: 'changed', scope });
}

/** False for a saved scope, and where All India or three scopes are saved. */
export function canSaveAutomatically(scope: string): boolean {
  const here = Object.keys(usePacks.getState().scopes);
  return !here.includes(scope) && !here.includes(INDIA_SCOPE) && here.length < MAX_AUTOMATIC_SCOPES;
}

/**
 * Saves the state that the user is looking at. Does nothing when this device has All India or three packs, or
 * when the user has removed this state before.
 */
export async function savePackAutomatically(scope: string): Promise<void> {
  if (!canSaveAutomatically(scope) || (await removedScopes()).includes(scope)) return;
  await addScope(scope);
}
