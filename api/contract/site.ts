import * as v from 'valibot';

const fact = v.nullable(v.string());

/** Answer of `GET /api/site`: what the operator configured and pages show. What is null is not shown. */
export const Site = v.object({
  supportEmail: fact,
  privacyEmail: fact,
  /** Address of the data protection officer. */
  dpoEmail: fact,
  /** An https address. */
  socialUrl: fact,
  legalName: fact,
  legalAddress: fact,
  supportPhone: fact,
  grievanceName: fact,
  grievanceEmail: fact,
  /** Of the seller; null: not registered for GST, so it issues receipts and its prices name no tax (RESOLUTIONS R49). */
  gstin: fact,
  /** Null: nobody signs in by Google. */
  googleClientId: fact,
  /** `sandbox`: no real money moves; null: nothing can be bought. */
  payments: v.nullable(v.picklist(['sandbox', 'live'])),
});
export type Site = v.InferOutput<typeof Site>;
