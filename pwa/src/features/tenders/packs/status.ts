/** What this device keeps, as screens see it: filled from the database, and moved on by whichever tab syncs. */

import { STATES } from '@nivida/contract/states';
import { INDIA } from '@nivida/contract/sync';
import { create } from 'zustand';
import type { ScopeRow } from '../../../data/db.ts';
import { browserStorage } from '../../../data/storage.ts';
import { isSearchable } from './scopes.ts';

/** Why the last attempt stopped. 'network' and 'server' are tried again by themselves. */
export type Problem = 'network' | 'server' | 'schema' | 'corrupt' | 'full';

/** One scope of this device; `running` while a tab brings it up to date. */
export interface PackStatus {
  row: ScopeRow;
  isRunning: boolean;
  problem: Problem | null;
}

interface Packs {
  /** Whether the database has been read; until then `hintedScopes` says what to expect. */
  isRead: boolean;
  scopes: Readonly<Record<string, PackStatus>>;
}

/** The scopes of this device by their name (a state's slug, or 'india'). */
export const usePacks = create<Packs>(() => ({ isRead: false, scopes: {} }));

const HINT = 'packs';

/** Scopes that could be searched when this was last looked at: known before the database is, which is loaded late. */
export function hintedScopes(): readonly string[] {
  return (browserStorage()?.getItem(HINT) ?? '').split(' ').filter(Boolean);
}

function canSearch({ row }: PackStatus): boolean {
  return row.current !== null && isSearchable(row.current, row.parts);
}

/** The scopes that can be searched, or may be expected to while the database has not been read. */
export function searchableScopes({ isRead, scopes }: Packs): readonly string[] {
  if (!isRead) return hintedScopes();
  return Object.values(scopes)
    .filter(canSearch)
    .map(({ row }) => row.scope);
}

function show(scopes: Record<string, PackStatus>): void {
  usePacks.setState({ isRead: true, scopes });
  try {
    browserStorage()?.setItem(HINT, searchableScopes({ isRead: true, scopes }).join(' '));
  } catch {
    // full or forbidden: the next start asks the server first
  }
}

/** Takes what the database holds; runs and problems of scopes that are still there stay. */
export function showRows(rows: readonly ScopeRow[]): void {
  const { scopes } = usePacks.getState();
  show(
    Object.fromEntries(rows.map((row) => [row.scope, { isRunning: false, problem: null, ...scopes[row.scope], row }])),
  );
}

/** Takes one scope's new row. */
export function showRow(row: ScopeRow): void {
  const { scopes } = usePacks.getState();
  show({ ...scopes, [row.scope]: { isRunning: false, problem: null, ...scopes[row.scope], row } });
}

/** Takes that a scope is being brought up to date, or that this ended and why. */
export function showRun(scope: string, isRunning: boolean, problem: Problem | null): void {
  const { scopes } = usePacks.getState();
  const status = scopes[scope];
  if (status) show({ ...scopes, [scope]: { ...status, isRunning, problem } });
}

/** 'Himachal Pradesh', 'All India'. */
export function scopeName(scope: string): string {
  return scope === INDIA ? 'All India' : (STATES.find(({ slug }) => slug === scope)?.name ?? scope);
}

/** The scope of a state's listed name or slug; undefined for another text. */
export function scopeOfState(state: string): string | undefined {
  return STATES.find(({ name, slug }) => name === state || slug === state)?.slug;
}
