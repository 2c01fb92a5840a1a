import * as v from 'valibot';

const nullableText = v.nullable(v.string());

/** Answer of `GET /api/site`: what the operator configured and pages show. What is null is not shown. */
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
  /** Of the seller; null: not registered for GST, so it issues receipts and its prices name no tax (RESOLUTIONS R49). */
  gstin: nullableText,
  /** Null: nobody signs in by Google. */
  googleClientId: nullableText,
  /** `sandbox`: no real money moves; null: nothing can be bought. */
  payments: v.nullable(v.picklist(['sandbox', 'live'])),
});
export type SiteSettings = v.InferOutput<typeof SiteSettings>;
