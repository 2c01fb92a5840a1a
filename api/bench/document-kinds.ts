/**
 * `document-kinds`: precision and recall of reading the kinds of documents from the lines of 100 labelled notices. Needs
 * the data folder beside the project, or NIVIDA_DATA. Less than a second.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchKinds } from '../../pwa/src/data/bid-documents/match-kinds.ts';
import { BenchmarkMetrics } from './measure/metrics.ts';
import { DATA } from './measure/real-tenders.ts';

interface LabelledNotice {
  lines: { cover: string; description: string; kinds: string[] }[];
}

const MIN_SHARE = 0.97;

const notices: LabelledNotice[] = JSON.parse(readFileSync(join(DATA, 'papers/dev-labels.json'), 'utf8'));
const lines = notices.flatMap((notice) => notice.lines);
let right = 0;
let found = 0;
let labelled = 0;
for (const { cover, description, kinds } of lines) {
  const ids = matchKinds(cover, description);
  found += ids.length;
  labelled += kinds.length;
  right += ids.filter((id) => kinds.includes(id)).length;
}
const figures = new BenchmarkMetrics('document-kinds');
figures.check('precision', right / found, 'least', MIN_SHARE);
figures.check('recall', right / labelled, 'least', MIN_SHARE);
figures.record('lines', lines.length);
figures.finish('worst');
