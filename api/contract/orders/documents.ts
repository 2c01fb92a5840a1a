/** Requests and answers about document packages. */
import * as v from 'valibot';
import { emailField } from '../fields.ts';
import { DocumentContents } from '../tenders/tender.ts';

/** Answer of `GET /api/tenders/{id}/documents`, for the access dialog. */
export const DocumentOfferResponse = v.object({
  /** The package can be delivered now. */
  isReady: v.boolean(),
  /** File names in the package; empty when none is ready. */
  files: v.array(v.string()),
  bytes: v.nullable(v.number()),
  /** Null without the NIT. */
  contents: v.nullable(DocumentContents),
  /** Whether bids are open. Documents are not sold afterwards. */
  isOpen: v.boolean(),
  /** The user already owns this NIT's documents, or has downloaded them with the plan this month. */
  isOwned: v.boolean(),
  /** The order that bought them, for its status page and `resend`. */
  orderId: v.nullable(v.string()),
  /** Downloads left in the user's plan this month for this tender's state; null without such a plan. */
  planDownloads: v.nullable(v.object({ left: v.nullable(v.number()), perMonth: v.nullable(v.number()) })),
  /** The package was generated for a demonstration tender. */
  isDemonstration: v.boolean(),
});
export type DocumentOfferResponse = v.InferOutput<typeof DocumentOfferResponse>;

/** Answer of `POST /api/tenders/{id}/documents`: the page of a link to the package, `/d/{token}`. */
export const DocumentLinkResponse = v.object({ url: v.string(), expiresAt: v.string() });
export type DocumentLinkResponse = v.InferOutput<typeof DocumentLinkResponse>;

/** One package in the buyer's library (`GET /api/documents`). Instants in UTC. */
export const PurchasedPackage = v.object({
  nit: v.string(),
  tenderId: v.string(),
  title: v.string(),
  files: v.array(v.string()),
  bytes: v.number(),
  sha256: v.string(),
  version: v.number(),
  /** Whether a corrigendum has made a newer version since the buyer last downloaded the package. */
  hasNewer: v.boolean(),
  acquiredAt: v.string(),
  /** Bought for ₹99, or downloaded with a plan. */
  by: v.picklist(['purchase', 'plan']),
  orderId: v.nullable(v.string()),
});
export type PurchasedPackage = v.InferOutput<typeof PurchasedPackage>;

/** Answer of `GET /api/documents`, newest first. */
export const PurchasedPackagesResponse = v.object({ packages: v.array(PurchasedPackage) });
export type PurchasedPackagesResponse = v.InferOutput<typeof PurchasedPackagesResponse>;

/** Answer of `POST /api/orders/{id}/resend` (202). It is the same for an unknown order. */
export const AcceptedResponse = v.object({ message: v.string() });
export type AcceptedResponse = v.InferOutput<typeof AcceptedResponse>;

/** Body of `POST /api/tenders/{id}/document-requests`; without a session the e-mail address is required. */
export const DocumentRequestBody = v.strictObject(
  { email: v.optional(emailField) },
  'The body holds a field that does not belong there',
);
export type DocumentRequestBody = v.InferOutput<typeof DocumentRequestBody>;
