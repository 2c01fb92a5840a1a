/** Status of the offline packs for the screens: read from the database and updated by the tab that syncs. */

import { t } from '@lingui/core/macro';
import { placeName, STATES } from '@nivida/contract/regions/states';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';
import type { ScopeRow } from '../../data/device/schema.ts';
import { isPackSearchable } from './pack-store.ts';

/** Why the last attempt stopped. 'preparing', 'network' and 'server' are retried automatically. */
export type PackProblem = 'preparing' | 'network' | 'server' | 'schema' | 'corrupt' | 'full';

/** One scope on this device. `isRunning` while a tab updates it. */
export interface PackStatus {
  row: ScopeRow;
  isRunning: boolean;
  problem: PackProblem | null;
  /** Uncompressed bytes that have arrived of unfinished files, by file address. */
  received?: Readonly<Record<string, number>>;
}

interface PackStatusState {
  /** Whether the database has been read; until then use `hinted`. */
  isRead: boolean;
  /** Scopes that could be searched at the last visit. */
  hinted: readonly string[];
  scopes: Readonly<Record<string, PackStatus>>;
  /** The user's setting: on a mobile connection, downloads wait for Wi-Fi. */
  isWifiOnly: boolean;
}

/** The scopes of this device by their name (a state's slug, or 'india'). */
export const usePacks = create<PackStatusState>(() => ({
  isRead: false,
  hinted: [],
  scopes: {},
  isWifiOnly: false,
}));

const SEARCHABLE_HINT_KEY = 'packs';

/** The database opens late; these scopes are known before. */
function readHintedScopes(): readonly string[] {
  return (browserStorage()?.getItem(SEARCHABLE_HINT_KEY) ?? '').split(' ').filter(Boolean);
}

// Set after creation: the initial state must equal the server's render.
usePacks.setState({ hinted: readHintedScopes() });

function isScopeSearchable({ row }: PackStatus): boolean {
  return row.current !== null && isPackSearchable(row.current, row.files);
}

/** The scopes that can be searched; the hinted ones until the database has been read. */
export function searchableScopes({ isRead, hinted, scopes }: PackStatusState): readonly string[] {
  if (!isRead) return hinted;
  return Object.values(scopes)
    .filter(isScopeSearchable)
    .map(({ row }) => row.scope);
}

function setStatuses(scopes: Record<string, PackStatus>): void {
  usePacks.setState({ isRead: true, scopes });
  try {
    browserStorage()?.setItem(SEARCHABLE_HINT_KEY, searchableScopes(usePacks.getState()).join(' '));
  } catch {
    // Storage is full or forbidden: the next start asks the server first.
  }
}

/** Sets all scopes from the database. The runs and problems of remaining scopes are preserved. */
export function setRows(rows: readonly ScopeRow[]): void {
  const { scopes } = usePacks.getState();
  setStatuses(
    Object.fromEntries(rows.map((row) => [row.scope, { isRunning: false, problem: null, ...scopes[row.scope], row }])),
  );
}

export function setRow(row: ScopeRow): void {
  const { scopes } = usePacks.getState();
  setStatuses({ ...scopes, [row.scope]: { isRunning: false, problem: null, ...scopes[row.scope], row } });
}

/** Sets whether a refresh of the scope is running, and why the last refresh stopped. */
export function setRun(scope: string, isRunning: boolean, problem: PackProblem | null): void {
  const { scopes } = usePacks.getState();
  const status = scopes[scope];
  if (status) setStatuses({ ...scopes, [scope]: { ...status, isRunning, problem } });
}

/** Sets how much of a file has arrived. */
export function setReceived(scope: string, file: string, received: number): void {
  const { scopes } = usePacks.getState();
  const status = scopes[scope];
  if (!status) return;
  usePacks.setState({
    scopes: { ...scopes, [scope]: { ...status, received: { ...status.received, [file]: received } } },
  });
}

/** The listed name of a scope's state; undefined for all of India. */
export const stateOfScope = (scope: string): string | undefined => STATES.find(({ slug }) => slug === scope)?.name;

/** The name for the screens: 'Himachal Pradesh', 'All India'. */
export function scopeName(scope: string): string {
  return scope === INDIA_SCOPE ? t`All India` : placeName(stateOfScope(scope) ?? scope);
}

/** The scope of a state's listed name or slug; undefined for another text. */
export function scopeOfState(state: string): string | undefined {
  return STATES.find(({ name, slug }) => name === state || slug === state)?.slug;
}
