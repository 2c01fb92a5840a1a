/**
 * Presses of buttons that the device's database does not have yet: bookmarks and saved searches. A press is noted in
 * browser storage at once, so that it survives a page that is left before the database is open. The next start, or another
 * open tab, stores it.
 */
import { browserStorage } from './device/browser-storage.ts';

/** A press: the state that the user wants, not a change, so that it can be stored twice. */
export interface NotedPress {
  kind: 'bookmark' | 'search';
  /** The user's id, or '' when signed out. */
  owner: string;
  /** Of a bookmark the tender's id, of a search its filter as a query. */
  subject: string;
  wanted: boolean;
  /** Milliseconds since 1970 by the device's clock. */
  at: number;
  /** Of a search the highest id of the matching tenders on the screen. */
  seenUpTo?: number | undefined;
}

/** A press that still stays noted after this time is not being stored by its page. */
const ABANDONED_AFTER_MS = 1_000;

/** The texts of the presses that this page notes; the page stores them itself. */
const textsOfPage = new Map<string, string>();

type PressKey = Pick<NotedPress, 'kind' | 'owner' | 'subject'>;

const keyOf = ({ kind, owner, subject }: PressKey) => `${kind}-press ${owner} ${subject}`;
const textOf = ({ wanted, at, seenUpTo }: Omit<NotedPress, keyof PressKey>) =>
  [Number(wanted), at, ...(seenUpTo === undefined ? [] : [seenUpTo])].join(' ');

function readPress(key: string, text: string | null): NotedPress | undefined {
  const names = /^(?<kind>bookmark|search)-press (?<owner>\S*) (?<subject>\S+)$/.exec(key)?.groups;
  const state = /^(?<wanted>[01]) (?<at>\d{1,15})(?: (?<seenUpTo>\d{1,10}))?$/.exec(text ?? '')?.groups;
  if (!names || !state) return undefined;
  const { kind, owner = '', subject = '' } = names;
  if (kind === 'bookmark' && !/^\d{1,10}$/.test(subject)) return undefined;
  return {
    kind: kind as NotedPress['kind'],
    owner,
    subject,
    wanted: state.wanted === '1',
    at: Number(state.at),
    ...(state.seenUpTo !== undefined && { seenUpTo: Number(state.seenUpTo) }),
  };
}

const isPressKey = (key: string | null, kind: NotedPress['kind']): boolean =>
  key?.startsWith(`${kind}-press `) === true;

/** Notes a press in place of an earlier one of the same button. Without browser storage the press is stored by its page only. */
export function notePress(wanted: Omit<NotedPress, 'at'>): NotedPress {
  const press = { ...wanted, at: Date.now() };
  textsOfPage.set(keyOf(press), textOf(press));
  try {
    browserStorage()?.setItem(keyOf(press), textOf(press));
  } catch {
    // browser storage is full or forbidden
  }
  return press;
}

/** Removes the note of a press that is stored or refused. A later press of the same button stays noted. */
export function forgetPress(press: NotedPress): void {
  const key = keyOf(press);
  if (textsOfPage.get(key) === textOf(press)) textsOfPage.delete(key);
  if (browserStorage()?.getItem(key) === textOf(press)) browserStorage()?.removeItem(key);
}

/** Leaves a press that this page cannot store to the next start. False when it is not noted. */
export function leavePress(press: NotedPress): boolean {
  textsOfPage.delete(keyOf(press));
  return browserStorage()?.getItem(keyOf(press)) === textOf(press);
}

/** The noted presses of a kind that this page does not store itself, the earliest first. */
export function pressesOfOtherPages(kind: NotedPress['kind']): NotedPress[] {
  const storage = browserStorage();
  if (!storage) return [];
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  return keys
    .filter((key) => isPressKey(key, kind))
    .flatMap((key) => readPress(key, storage.getItem(key)) ?? [])
    .filter((press) => textsOfPage.get(keyOf(press)) !== textOf(press))
    .sort((a, b) => a.at - b.at);
}

/** Calls `store` for the presses of tabs that are closed while this one is open. */
export function watchAbandonedPresses(kind: NotedPress['kind'], store: () => Promise<unknown>): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (newValue === null || !isPressKey(key, kind)) return;
    // the next sync repeats what fails
    setTimeout(() => void store().catch(() => undefined), ABANDONED_AFTER_MS);
  });
}
