/** How many tenders are open in each state, for the search, home and empty views. */
import type { RegionList } from '@nivida/contract/tender';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';
import { type Written, writtenAnswer } from './written.ts';

const CALL = 'api/regions';

/** Read by hand: home shows it at first, for which the schema's library is too much. */
function readCounts(given: unknown): RegionList | undefined {
  const { states } = (given ?? {}) as Partial<RegionList>;
  const isWhole = Array.isArray(states) && states.every(({ state, open }) => typeof state === 'string' && open >= 0);
  return isWhole ? (given as RegionList) : undefined;
}

const writtenCounts = (written?: Partial<Written>) => writtenAnswer(CALL, readCounts, written);

/** What makes calls, some 11 KB, is loaded when one is made. */
async function ask(): Promise<RegionList> {
  const [{ api }, contract] = await Promise.all([import('./api.ts'), import('@nivida/contract/tender')]);
  return api.get(CALL).json(contract.RegionList);
}
const counts = keepAnswers(ask, writtenCounts());

/** For a page that the server draws: what it brings is all that is known. */
export function takeCounts(written: Partial<Written>): void {
  counts.store.setState(writtenCounts(written), true);
}

/** The open counts of the 36 states; asked for once a minute at most, however many views show them. */
export function useStateCounts(): Shown<RegionList> {
  return useAnswer(counts, '');
}
