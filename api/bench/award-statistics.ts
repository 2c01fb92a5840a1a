/**
 * `award-statistics`: how often ranges of offices contained the results of later tenders, on the real awards of two
 * portals. The ranges know what was known before each of the newest quarters whose awards had time to become known: 16
 * of Assam, 8 of Himachal Pradesh. Needs the data folder beside the project, or NIVIDA_DATA. About half a minute on two
 * cores.
 */
import { join } from 'node:path';
import { type AwardFacts, awardFacts } from '../src/awards/statistics/award-facts.ts';
import { backTest, type Coverage } from '../src/awards/statistics/back-test.ts';
import { MEASURE_NAMES, type MeasureName } from '../src/awards/statistics/office-statistics.ts';
import { readAwardFile } from '../src/ingest/award-files/award-csv.ts';
import { openSource } from '../src/ingest/files/source-file.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { DATA } from './measure/real-tenders.ts';

/** The first month after the last complete quarter. The expected coverage in percent. */
const PORTALS = [
  { portal: 'hptenders', end: [2024, 2], quarters: 8, coverage: { bidders: 90.8, price: 79.7, daysToContract: 87.1 } },
  {
    portal: 'assamtenders',
    end: [2026, 3],
    quarters: 16,
    coverage: { bidders: 88.9, price: 84.9, daysToContract: 85.7 },
  },
] as const;

const MAX_DIFFERENCE = 2;
/** The expected coverage is that of eight quarters. */
const COMPARED_QUARTERS = 8;

async function readFacts(portal: string): Promise<AwardFacts[]> {
  const facts: AwardFacts[] = [];
  const file = await openSource(join(DATA, 'awards', `${portal}-awards.csv.gz`));
  for await (const row of readAwardFile(file, { portal: undefined, state: undefined })) {
    const found = 'award' in row ? awardFacts(row.award) : 'rejected';
    if (typeof found !== 'string') facts.push(found);
  }
  return facts;
}

const quarterStart = ([year, month]: readonly [number, number], before: number) =>
  Date.UTC(year, month - 3 * before, 1) / 86_400_000;

const percent = (part: number, whole: number) => (100 * part) / whole;
const sum = (
  quarters: readonly Coverage[],
  key: 'tenders' | 'ranges' | 'covered' | 'shown' | 'shownCovered' | 'stateCovered',
) => quarters.reduce((total, quarter) => total + quarter[key], 0);

const figures = new BenchmarkMetrics('award-statistics');
for (const { portal, end, quarters, coverage } of PORTALS) {
  log(`reading ${portal}`);
  const facts = await readFacts(portal);
  log(`testing ${quarters} quarters of ${portal}`);
  const tested = Array.from({ length: quarters }, (_, n) =>
    backTest(facts, { from: quarterStart(end, n + 2), until: quarterStart(end, n + 1) }),
  );
  for (const name of MEASURE_NAMES) recordMeasure(portal, name, tested, coverage[name]);
}
figures.finish('worst');

function recordMeasure(
  portal: string,
  name: MeasureName,
  tested: readonly Record<MeasureName, Coverage>[],
  designed: number,
): void {
  const all = tested.map((quarter) => quarter[name]);
  const compared = all.slice(0, COMPARED_QUARTERS);
  const covered = percent(sum(compared, 'covered'), sum(compared, 'ranges'));
  const unit = name === 'price' ? 100 : 1;
  const label = `${portal}_${name}`;
  figures.record(`${label}_coverage_percent`, covered);
  figures.check(`${label}_from_design_points`, Math.abs(covered - designed), 'most', MAX_DIFFERENCE);
  figures.record(`${label}_median_width`, median(compared.flatMap(({ widths }) => widths)) / unit);
  figures.record(`${label}_state_coverage_percent`, percent(sum(compared, 'stateCovered'), sum(compared, 'ranges')));
  figures.record(`${label}_state_median_width`, median(compared.flatMap(({ stateWidth }) => stateWidth ?? [])) / unit);
  figures.record(`${label}_shown_percent`, percent(sum(all, 'shown'), sum(all, 'tenders')));
  figures.record(`${label}_shown_coverage_percent`, percent(sum(all, 'shownCovered'), sum(all, 'shown')));
  if (name !== 'price') return;
  const shown = percent(sum(all, 'shown'), sum(all, 'tenders'));
  if (portal === 'hptenders') figures.check(`${label}_shown`, shown, 'most', 5);
  else {
    figures.check(`${label}_shown_least`, shown, 'least', 75);
    figures.check(`${label}_shown_most`, shown, 'most', 85);
    figures.check(`${label}_shown_coverage`, percent(sum(all, 'shownCovered'), sum(all, 'shown')), 'least', 85);
  }
}
