/** Reports of mistakes in a tender, which anyone may send from its page. A signed-in reader gets an answer in the app. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { characterCount } from '../fields.ts';

/** What is wrong. */
export const REPORT_KINDS = ['date', 'place', 'value', 'closed', 'other'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A kind as readers and the staff see it. */
export const reportKindText = (kind: ReportKind): string =>
  ({
    date: t`A date is wrong`,
    place: t`The place is wrong`,
    value: t`The value is wrong`,
    closed: t`It is closed already`,
    other: t`Something else`,
  })[kind];

const MAX_REPORT_TEXT = 1_000;

/** What the form has. Something else needs a text. */
export const TenderReportForm = v.pipe(
  v.object({
    kind: v.picklist(REPORT_KINDS, () => t`Choose what is wrong`),
    text: v.pipe(
      v.string(),
      v.trim(),
      v.check(
        (text) => characterCount(text) <= MAX_REPORT_TEXT,
        () => t`At most 1,000 characters`,
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ kind, text }) => kind !== 'other' || text !== '',
      () => t`Write what is wrong`,
    ),
    ['text'],
  ),
);
export type TenderReportForm = v.InferOutput<typeof TenderReportForm>;

/** Body of `POST /api/tenders/{id}/reports`. A report with the same id is stored once. */
export const TenderReportRequest = v.intersect([TenderReportForm, v.object({ id: v.pipe(v.string(), v.uuid()) })]);
export type TenderReportRequest = v.InferOutput<typeof TenderReportRequest>;

export const TenderReportResponse = v.object({ success: v.literal(true) });
