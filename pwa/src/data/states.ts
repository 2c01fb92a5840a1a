/** How many tenders are open in each state, for the search, home and empty views. */
import { RegionList } from '@nivida/contract/tender';
import { keepAnswers, type Shown, useAnswer } from './answers.ts';
import { api } from './api.ts';

const counts = keepAnswers((path) => api.get(path).json(RegionList));

/** The open counts of the 36 states; asked for once a minute at most, however many views show them. */
export function useStateCounts(): Shown<RegionList> {
  return useAnswer(counts, 'api/regions');
}
