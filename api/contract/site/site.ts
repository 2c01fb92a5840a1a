import * as v from 'valibot';
import { PLAN_IDS } from '../orders/plans.ts';
import { SiteNotice } from './status.ts';

const nullableText = v.nullable(v.string());

/** Answer of `GET /api/site`: settings of the operator that pages show. Null values are not shown. */
export const SiteSettings = v.object({
  supportEmail: nullableText,
  privacyEmail: nullableText,
  /** Address of the data protection officer. */
  dpoEmail: nullableText,
  /** An https address. */
  socialUrl: nullableText,
  legalName: nullableText,
  legalAddress: nullableText,
  supportPhone: nullableText,
  grievanceName: nullableText,
  grievanceEmail: nullableText,
  /** GSTIN of the seller; null: not registered for GST, so receipts are issued and prices mention no tax (R49). */
  gstin: nullableText,
  /** Null: no sign-in by Google. */
  googleClientId: nullableText,
  /** `sandbox`: no real money moves; `none`: nothing is sold (R81). */
  payments: v.picklist(['sandbox', 'live', 'none']),
  /** The plan of every account when nothing is sold, else null. */
  freePlan: v.nullable(v.picklist(PLAN_IDS)),
  /** Median hours until support answers, measured over 90 days; null while there are fewer than 10 answers. */
  answerHours: v.nullable(v.number()),
  /** `SEARCH_VERSION` of the server. */
  searchVersion: nullableText,
  /** The operator's line for all users, when there is one. Pages do not embed it. */
  notice: v.optional(SiteNotice),
});
export type SiteSettings = v.InferOutput<typeof SiteSettings>;
