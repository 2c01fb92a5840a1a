/** The last searches of the present user, or of the signed-out device, to be made again with one tap. */
import { create } from 'zustand';
import { currentOwner } from '../../data/session.ts';
import { readSetting, writeSetting } from '../../data/settings.ts';

const settingOf = (owner: string) => (owner === '' ? 'recent searches' : `recent searches of ${owner}`);
const MOST_KEPT = 8;

/** Queries of the results page ('state=Punjab&q=road'), newest first. */
export const useRecent = create<{ searches: readonly string[] }>(() => ({ searches: [] }));

async function kept(): Promise<string[]> {
  const value = await readSetting(settingOf(currentOwner()));
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

async function put(searches: readonly string[]): Promise<void> {
  useRecent.setState({ searches });
  await writeSetting(settingOf(currentOwner()), searches);
}

/** Reads what is kept. */
export async function readRecent(): Promise<void> {
  useRecent.setState({ searches: await kept() });
}

/** Puts a search before the others; the ninth is forgotten. */
export async function rememberSearch(query: string): Promise<void> {
  const others = (await kept()).filter((each) => each !== query);
  await put([query, ...others].slice(0, MOST_KEPT));
}

/** Forgets one search. */
export async function forgetSearch(query: string): Promise<void> {
  await put((await kept()).filter((each) => each !== query));
}

/** Forgets all searches of a user, who has signed out. */
export async function forgetSearchesOf(owner: string): Promise<void> {
  if (owner !== '') await writeSetting(settingOf(owner), []);
}
