// @vitest-environment node
import type { TenderPatch } from '@nivida/contract/push/push';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { expect, test } from 'vitest';
import { mergePatches, patchSummary, patchTender } from './tender-patch.ts';

const [OLD, NEW, LATER] = ['2026-11-20T05:30:00.000Z', '2026-11-27T05:30:00.000Z', '2026-12-04T05:30:00.000Z'];
const MOVED: TenderPatch = { tenderId: '1', version: 2, oldClosing: OLD, newClosing: NEW };
const OTHER_FIELD: TenderPatch = { ...MOVED, newClosing: OLD };
/** Two changes in one patch: moved to `LATER` and then to `NEW`, or moved and moved back. */
const MOVED_TWICE: TenderPatch = { ...MOVED, version: 3, interimClosings: [LATER] };
const MOVED_BACK: TenderPatch = { ...MOVED_TWICE, newClosing: OLD };
const summary = (closing_date: string) => ({ closing_date, last_corrigendum: null }) as TenderSummary;

test.each([
  ['a moved closing is written', OLD, MOVED, [NEW, 'date']],
  ['the same instant in another notation is the old closing', '2026-11-20T11:00:00+05:30', MOVED, [NEW, 'date']],
  ['a change of another field is an other corrigendum', OLD, OTHER_FIELD, [OLD, 'other']],
  ['a row with another closing is newer and stays', LATER, MOVED, [LATER, null]],
  ['a row with another closing stays after a change of another field', LATER, OTHER_FIELD, [LATER, null]],
  ['a row from before two changes gets the second', OLD, MOVED_TWICE, [NEW, 'date']],
  ['a row from between two changes gets the second', LATER, MOVED_TWICE, [NEW, 'date']],
  ['a row from after two changes stays', NEW, MOVED_TWICE, [NEW, null]],
  ['a row from between a change and its end gets the old closing again', LATER, MOVED_BACK, [OLD, 'date']],
] as const)('in a list %s', (_name, closing, patch, [closing_date, last_corrigendum]) => {
  expect(patchSummary(summary(closing), patch)).toEqual({ closing_date, last_corrigendum });
});

test.each([
  ['an earlier version gets the closing and the version', 1, MOVED, [2, NEW, 'date']],
  ['an earlier version gets a change of another field', 1, OTHER_FIELD, [2, OLD, 'other']],
  ['the same version stays', 2, MOVED, [2, OLD, null]],
  ['a later version stays', 3, MOVED, [3, OLD, null]],
] as const)('of a tender %s', (_name, before, patch, [version, closing_date, last_corrigendum]) => {
  expect(patchTender({ ...summary(OLD), version: before } as Tender, patch)).toEqual({
    version,
    closing_date,
    last_corrigendum,
  });
});

test.each([
  ['of another field keeps the closing', MOVED, { ...OTHER_FIELD, oldClosing: NEW, newClosing: NEW }, [OLD, NEW, []]],
  [
    'of the closing goes on from the first',
    MOVED,
    { ...MOVED, oldClosing: NEW, newClosing: LATER },
    [OLD, LATER, [NEW]],
  ],
  ['back has the closing between', MOVED, { ...MOVED, oldClosing: NEW, newClosing: OLD }, [OLD, OLD, [NEW]]],
  ['has the closings between of both', MOVED_TWICE, { ...MOVED, oldClosing: NEW }, [OLD, NEW, [LATER]]],
  [
    'after a lost one has the closings of both',
    MOVED,
    { ...MOVED, oldClosing: LATER, newClosing: OLD },
    [OLD, OLD, [NEW, LATER]],
  ],
] as const)('a later patch %s', (_name, earlier, later, [oldClosing, newClosing, interim]) => {
  const merged = mergePatches(earlier, { ...later, version: 4 });
  expect([merged.version, merged.oldClosing, merged.newClosing, merged.interimClosings ?? []]).toEqual([
    ...[4, oldClosing, newClosing, interim],
  ]);
});
