/** Finds the tenders of a list: in the packs and tenders on the device, and at the server. */
import { plural } from '@lingui/core/macro';
import { ListedTendersResponse, type TenderSummary } from '@nivida/contract/tenders/tender';
import {
  findInList,
  type ListLine,
  MAX_LOOKED_UP_NUMBERS,
  namedIn,
  numberKey,
  numberKeysOf,
  readTenderList,
} from '@nivida/contract/tenders/tender-list';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { api } from '../../data/server/api.ts';
import { currentOwner } from '../../data/session.ts';
import { openScopeEngine } from '../../offline/packs/local-engines.ts';
import { searchableScopes, usePacks } from '../../offline/packs/pack-status.ts';
import { startPacks } from '../../offline/packs/packs.ts';
import { listWithPushedChanges } from '../../offline/packs/with-pushed-changes.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { readAddedList, storeAnswer } from './added-list.ts';

/** The tenders of all packs with these ids of this app or these numbers. Never throws. */
async function tendersByNumber(
  ids: readonly string[],
  numbers: readonly string[],
  now: Date,
): Promise<TenderSummary[]> {
  await startPacks();
  const found: TenderSummary[] = [];
  for (const scope of searchableScopes(usePacks.getState())) {
    // An unreadable pack is fetched again.
    const engine = (await openScopeEngine(scope).catch(() => undefined))?.engine;
    const ofScope = engine && Promise.all([engine.summaries(ids.map(Number), now), engine.numbered(numbers, now)]);
    found.push(...((await ofScope?.catch(() => [])) ?? []).flat());
  }
  return listWithPushedChanges(found);
}

/** The tenders of these lines that the device has. Never throws. */
export async function findListOnDevice(lines: readonly ListLine[], now: Date): Promise<TenderSummary[]> {
  const { ids, numbers } = namedIn(lines);
  const keys = new Set(numbers.map(numberKey));
  const isNamed = (tender: TenderSummary) =>
    ids.includes(tender._id) || numberKeysOf(tender).some((key) => keys.has(key));
  const [stored, packed] = await Promise.all([
    withDatabase((db) => db.tenders.filter(({ tender }) => isNamed(tender)).toArray()).catch(() => []),
    tendersByNumber(ids, numbers, now),
  ]);
  return [...packed, ...stored.map(({ tender }) => tender)];
}

/** The tenders of these lines that the server has. Throws the errors of the calls. */
export async function askServer(lines: readonly ListLine[]): Promise<TenderSummary[]> {
  const { ids, numbers } = namedIn(lines);
  const found: TenderSummary[] = [];
  for (let at = 0; at < Math.max(ids.length, numbers.length); at += MAX_LOOKED_UP_NUMBERS) {
    const json = {
      ids: ids.slice(at, at + MAX_LOOKED_UP_NUMBERS),
      numbers: numbers.slice(at, at + MAX_LOOKED_UP_NUMBERS),
    };
    found.push(...(await api.post('api/tenders/by-number', { json }).json(ListedTendersResponse)).tenders);
  }
  return found;
}

async function lookUp(): Promise<TenderSummary[] | null> {
  const owner = currentOwner();
  const list = await withDatabase((db) => readAddedList(db, owner));
  if (!list) return null;
  const { text } = list;
  const known = await askServer(readTenderList(text, location.host));
  const answer = { text, known, askedAt: currentTime().getTime() };
  const isStored = owner === currentOwner() && (await withDatabase((db) => storeAnswer(db, owner, answer)));
  return isStored ? known : null;
}

let running: Promise<TenderSummary[] | null> | undefined;

/**
 * Asks the server about the user's list and stores the answer. Returns the tenders; null without a list. A second call joins
 * the running one. Throws the errors of the calls.
 */
export function lookUpAddedList(): Promise<TenderSummary[] | null> {
  running ??= lookUp().finally(() => {
    running = undefined;
  });
  return running;
}

/** Looks up a list that waited for a connection, and says what was found. */
export async function lookUpWaitingList(): Promise<void> {
  const known = await lookUpAddedList();
  if (!known) return;
  const list = await withDatabase((db) => readAddedList(db, currentOwner()));
  if (!list) return;
  const { length } = findInList(readTenderList(list.text, location.host), known).tenders;
  showToast({
    text: plural(length, {
      one: 'Your list was looked up: # tender found. See Bookmarks.',
      other: 'Your list was looked up: # tenders found. See Bookmarks.',
    }),
  });
}
