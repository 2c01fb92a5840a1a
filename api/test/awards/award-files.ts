/** The real award files as facts, read once for each test file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AwardFacts, awardFacts } from '../../src/awards/statistics/award-facts.ts';
import { readAwardFile } from '../../src/ingest/award-files/award-csv.ts';
import { openSource } from '../../src/ingest/files/source-file.ts';
import { SHARED_DATA } from '../support/test-machine.ts';

export const AWARD_PORTALS = ['hptenders', 'assamtenders'] as const;
export type AwardPortal = (typeof AWARD_PORTALS)[number];

const awardFile = (portal: AwardPortal) => join(SHARED_DATA, 'awards', `${portal}-awards.csv.gz`);

export const readExpectedOffices = () =>
  JSON.parse(readFileSync(join(SHARED_DATA, 'awards/expected-offices.json'), 'utf8')).offices;

/** The facts of the awards that count, and the number of rows by the reason why they do not, or their price. */
export async function readAwardFacts(portal: AwardPortal) {
  const facts: AwardFacts[] = [];
  const excluded: Record<string, number> = {};
  const count = (reason: string) => {
    excluded[reason] = (excluded[reason] ?? 0) + 1;
  };
  let rows = 0;
  for await (const row of readAwardFile(await openSource(awardFile(portal)), { portal: undefined, state: undefined })) {
    rows++;
    if ('rejection' in row) {
      count('rejected');
      continue;
    }
    const found = awardFacts(row.award);
    if (typeof found === 'string') count(found);
    else {
      facts.push(found);
      if (typeof found.price === 'string') count(found.price);
    }
  }
  return { rows, facts, excluded };
}
