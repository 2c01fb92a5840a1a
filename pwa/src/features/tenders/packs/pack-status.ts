/** What this device keeps, as screens see it: filled from the database, and moved on by whichever tab syncs. */

import { STATES } from '@nivida/contract/regions/states';
import { INDIA_SCOPE } from '@nivida/contract/sync/sync';
import { create } from 'zustand';
import { browserStorage } from '../../../data/device/browser-storage.ts';
import type { ScopeRow } from '../../../data/device/schema.ts';
import { isPackSearchable } from './pack-store.ts';

/** Why the last attempt stopped. 'network' and 'server' are tried again by themselves. */
export type PackProblem = 'network' | 'server' | 'schema' | 'corrupt' | 'full';

/** One scope of this device; `running` while a tab brings it up to date. */
export interface PackStatus {
  row: ScopeRow;
  isRunning: boolean;
  problem: PackProblem | null;
}

interface PackStatusState {
  /** Whether the database has been read; until then `hinted` says what to expect. */
  isRead: boolean;
  /** Scopes that could be searched at the last visit. */
  hinted: readonly string[];
  scopes: Readonly<Record<string, PackStatus>>;
}

/** The scopes of this device by their name (a state's slug, or 'india'). */
export const usePacks = create<PackStatusState>(() => ({ isRead: false, hinted: [], scopes: {} }));

const SEARCHABLE_HINT_KEY = 'packs';

/** Scopes that could be searched at the last visit: known before the database is, which is loaded late. */
function readHintedScopes(): readonly string[] {
  return (browserStorage()?.getItem(SEARCHABLE_HINT_KEY) ?? '').split(' ').filter(Boolean);
}

// After the store is made: its initial state is what the server renders.
usePacks.setState({ hinted: readHintedScopes() });

function isScopeSearchable({ row }: PackStatus): boolean {
  return row.current !== null && isPackSearchable(row.current, row.parts);
}

/** The scopes that can be searched, or may be expected to while the database has not been read. */
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
    // full or forbidden: the next start asks the server first
  }
}

/** Takes what the database holds; runs and problems of scopes that are still there stay. */
export function setRows(rows: readonly ScopeRow[]): void {
  const { scopes } = usePacks.getState();
  setStatuses(
    Object.fromEntries(rows.map((row) => [row.scope, { isRunning: false, problem: null, ...scopes[row.scope], row }])),
  );
}

/** Takes one scope's new row. */
export function setRow(row: ScopeRow): void {
  const { scopes } = usePacks.getState();
  setStatuses({ ...scopes, [row.scope]: { isRunning: false, problem: null, ...scopes[row.scope], row } });
}

/** Takes that a scope is being brought up to date, or that this ended and why. */
export function setRun(scope: string, isRunning: boolean, problem: PackProblem | null): void {
  const { scopes } = usePacks.getState();
  const status = scopes[scope];
  if (status) setStatuses({ ...scopes, [scope]: { ...status, isRunning, problem } });
}

/** 'Himachal Pradesh', 'All India'. */
export function scopeName(scope: string): string {
  return scope === INDIA_SCOPE ? 'All India' : (STATES.find(({ slug }) => slug === scope)?.name ?? scope);
}

/** The scope of a state's listed name or slug; undefined for another text. */
export function scopeOfState(state: string): string | undefined {
  return STATES.find(({ name, slug }) => name === state || slug === state)?.slug;
}
