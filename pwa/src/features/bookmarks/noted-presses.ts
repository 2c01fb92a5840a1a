/**
 * Presses of bookmark buttons that the device's database does not have yet. A press is noted in browser storage at once, so
 * that it survives a page that is left before the database is open. The next start, or another open tab, stores it.
 */
import { browserStorage } from '../../data/device/browser-storage.ts';

const KEY_PREFIX = 'bookmark-press ';

/** A press: the state that the user wants, not a change, so that it can be stored twice. */
export interface NotedPress {
  /** The user's id, or '' when signed out. */
  owner: string;
  tenderId: string;
  wanted: boolean;
  /** Milliseconds since 1970 by the device's clock. */
  at: number;
}

/** The texts of the presses that this page notes; the page stores them itself. */
const textsOfPage = new Map<string, string>();

const keyOf = ({ owner, tenderId }: Pick<NotedPress, 'owner' | 'tenderId'>) => `${KEY_PREFIX}${owner} ${tenderId}`;
const textOf = ({ wanted, at }: Pick<NotedPress, 'wanted' | 'at'>) => `${Number(wanted)} ${at}`;

function readPress(key: string, text: string | null): NotedPress | undefined {
  const { owner, tenderId } = /^bookmark-press (?<owner>\S*) (?<tenderId>\d{1,10})$/.exec(key)?.groups ?? {};
  const { wanted, at } = /^(?<wanted>[01]) (?<at>\d{1,15})$/.exec(text ?? '')?.groups ?? {};
  if (owner === undefined || tenderId === undefined || wanted === undefined) return undefined;
  return { owner, tenderId, wanted: wanted === '1', at: Number(at) };
}

/** True for the key of a noted press in browser storage. */
export const isPressKey = (key: string | null): boolean => key?.startsWith(KEY_PREFIX) === true;

/** Notes a press in place of an earlier one of the same button. Without browser storage the press is stored by its page only. */
export function notePress(owner: string, tenderId: string, wanted: boolean): NotedPress {
  const press = { owner, tenderId, wanted, at: Date.now() };
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

/** The noted presses that this page does not store itself, the earliest first. */
export function pressesOfOtherPages(): NotedPress[] {
  const storage = browserStorage();
  if (!storage) return [];
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter(isPressKey);
  return keys
    .flatMap((key) => readPress(key, storage.getItem(key)) ?? [])
    .filter((press) => textsOfPage.get(keyOf(press)) !== textOf(press))
    .sort((a, b) => a.at - b.at);
}
