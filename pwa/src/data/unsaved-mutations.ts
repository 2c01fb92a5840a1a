/**
 * Mutations of bookmarks and saved searches that are not in the device's database yet. A mutation is recorded
 * in browser storage at once, so that it is not lost when the user leaves the page before the database is
 * open. The next start, or another open tab, stores it.
 */
import { browserStorage } from './device/browser-storage.ts';

/** The state that the user wants. Storing it twice is harmless. */
export interface UnsavedMutation {
  kind: 'bookmark' | 'search';
  /** The user's id, or '' when signed out. */
  owner: string;
  /** A bookmark's tender id, or a search's filter as a query string. */
  subject: string;
  wanted: boolean;
  /** Milliseconds since 1970, device's clock. */
  at: number;
  /** For a search: the highest id of the matching tenders on the screen. */
  seenUpTo?: number | undefined;
}

/** If a mutation is still recorded after this time, its page will not store it. */
const ABANDONED_AFTER_MS = 1_000;

/** The stored texts of this page's mutations. The page stores them itself. */
const textsOfPage = new Map<string, string>();

type Subject = Pick<UnsavedMutation, 'kind' | 'owner' | 'subject'>;

const keyOf = ({ kind, owner, subject }: Subject) => `unsaved-${kind} ${owner} ${subject}`;
const textOf = ({ wanted, at, seenUpTo }: Omit<UnsavedMutation, keyof Subject>) =>
  [Number(wanted), at, ...(seenUpTo === undefined ? [] : [seenUpTo])].join(' ');

function parseMutation(key: string, text: string | null): UnsavedMutation | undefined {
  const names = /^unsaved-(?<kind>bookmark|search) (?<owner>\S*) (?<subject>\S+)$/.exec(key)?.groups;
  const state = /^(?<wanted>[01]) (?<at>\d{1,15})(?: (?<seenUpTo>\d{1,10}))?$/.exec(text ?? '')?.groups;
  if (!names || !state) return undefined;
  const { kind, owner = '', subject = '' } = names;
  if (kind === 'bookmark' && !/^\d{1,10}$/.test(subject)) return undefined;
  return {
    kind: kind as UnsavedMutation['kind'],
    owner,
    subject,
    wanted: state.wanted === '1',
    at: Number(state.at),
    ...(state.seenUpTo !== undefined && { seenUpTo: Number(state.seenUpTo) }),
  };
}

const isKeyOfKind = (key: string | null, kind: UnsavedMutation['kind']): boolean =>
  key?.startsWith(`unsaved-${kind} `) === true;

/**
 * Records a mutation. It replaces an earlier one of the same subject. Without browser storage only its page
 * can store it.
 */
export function recordMutation(wanted: Omit<UnsavedMutation, 'at'>): UnsavedMutation {
  const mutation = { ...wanted, at: Date.now() };
  textsOfPage.set(keyOf(mutation), textOf(mutation));
  try {
    browserStorage()?.setItem(keyOf(mutation), textOf(mutation));
  } catch {
    // Browser storage is full or forbidden.
  }
  return mutation;
}

/**
 * Deletes the record of a mutation that was stored or refused. A later mutation of the same subject stays
 * recorded.
 */
export function deleteMutation(mutation: UnsavedMutation): void {
  const key = keyOf(mutation);
  if (textsOfPage.get(key) === textOf(mutation)) textsOfPage.delete(key);
  if (browserStorage()?.getItem(key) === textOf(mutation)) browserStorage()?.removeItem(key);
}

/** Leaves a mutation that this page cannot store to the next start. Returns false when it is not recorded. */
export function releaseMutation(mutation: UnsavedMutation): boolean {
  textsOfPage.delete(keyOf(mutation));
  return browserStorage()?.getItem(keyOf(mutation)) === textOf(mutation);
}

/** The recorded mutations of a kind that other pages have left, oldest first. */
export function mutationsOfOtherPages(kind: UnsavedMutation['kind']): UnsavedMutation[] {
  const storage = browserStorage();
  if (!storage) return [];
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys
    .filter((key) => isKeyOfKind(key, kind))
    .flatMap((key) => parseMutation(key, storage.getItem(key)) ?? [])
    .filter((mutation) => textsOfPage.get(keyOf(mutation)) !== textOf(mutation))
    .sort((a, b) => a.at - b.at);
}

/** Calls `store` for mutations of tabs that are closed while this one is open. */
export function watchAbandonedMutations(kind: UnsavedMutation['kind'], store: () => Promise<unknown>): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (newValue === null || !isKeyOfKind(key, kind)) return;
    // The next sync repeats what fails.
    setTimeout(() => void store().catch(() => undefined), ABANDONED_AFTER_MS);
  });
}
