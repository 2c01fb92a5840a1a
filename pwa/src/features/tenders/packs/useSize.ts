/** How large a scope's copy is on the wire, before it is fetched. */
import { keepAnswers, useAnswer } from '../../../data/answers.ts';
import { fetchManifest } from './fetch.ts';

/** Tenders and bytes of a whole copy. */
export interface Size {
  rows: number;
  bytes: number;
}

const sizes = keepAnswers(async (scope): Promise<Size> => {
  const { rows, segments } = await fetchManifest(scope);
  return { rows, bytes: segments.reduce((sum, { list, detail }) => sum + list.bytes + detail.bytes, 0) };
});

/** The size of a scope; undefined until the server has told it. */
export function useSize(scope: string): Size | undefined {
  return useAnswer(sizes, scope).answer;
}
