/** The account export. It is not in user.ts, because the app loads that file at the start. */
import * as v from 'valibot';
import { FollowedOfficesResponse } from '../awards/awards.ts';
import { SearchFeedListResponse } from '../data-out/search-feeds.ts';
import { OwnReading } from '../documents/tender-reading.ts';
import { SavedSearch } from '../filter/saved-search.ts';
import { PurchasedPackage } from '../orders/documents.ts';
import { OrderSummary } from '../orders/order.ts';
import { AlertPreferences } from '../push/push.ts';
import { SupportThread } from '../support/threads.ts';
import { MeResponse, User } from './user.ts';

/** Query of `GET /api/me/export`. */
export const ExportQuery = v.object({
  format: v.optional(v.picklist(['json', 'csv'], 'The format is json or csv'), 'json'),
});
export type ExportQuery = v.InferOutput<typeof ExportQuery>;

/** Answer of `GET /api/me/export`: all stored data of the user. Instants in UTC. */
export const AccountExportResponse = v.object({
  exportedAt: v.string(),
  /** Prices are rupees as text; a `maxPrice` of null means no limit. */
  account: v.object({
    ...User.entries,
    ...v.omit(MeResponse, ['user']).entries,
    /** Language of mails: 'en', 'hi'. */
    language: v.string(),
    minPrice: v.string(),
    maxPrice: v.nullable(v.string()),
    secondFactor: v.boolean(),
    googleLinkedAt: v.nullable(v.string()),
  }),
  sessions: v.array(
    v.object({
      userAgent: v.string(),
      remembered: v.boolean(),
      signedInAt: v.string(),
      lastUsedAt: v.string(),
      expiresAt: v.string(),
      endedAt: v.nullable(v.string()),
    }),
  ),
  /** Without their keys. */
  passkeys: v.array(v.object({ name: v.string(), createdAt: v.string(), lastUsedAt: v.nullable(v.string()) })),
  searches: v.array(SavedSearch),
  /** Private feeds of searches, without their addresses. */
  searchFeeds: SearchFeedListResponse.entries.feeds,
  /** Keys for programs, without the keys themselves. */
  apiKeys: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      hint: v.string(),
      createdAt: v.string(),
      usedAt: v.nullable(v.string()),
      revokedAt: v.nullable(v.string()),
    }),
  ),
  followedOffices: FollowedOfficesResponse.entries.offices,
  /** All orders, paid or not, with the buyer's details. */
  orders: v.array(
    v.object({
      ...v.omit(OrderSummary, ['receiptNumber', 'creditNoteNumber']).entries,
      /** Ordered states of a plan. */
      states: v.array(v.string()),
      name: v.string(),
      email: v.string(),
      /** With +91. */
      mobileNo: v.string(),
      billingState: v.string(),
      gstin: v.string(),
      firm: v.string(),
      firmAddress: v.string(),
      language: v.string(),
    }),
  ),
  /** Payments reported by the provider; `paymentId` is the provider's id. */
  payments: v.array(
    v.object({
      orderId: v.string(),
      paymentId: v.string(),
      amountPaise: v.number(),
      currency: v.string(),
      method: v.nullable(v.string()),
      at: v.string(),
    }),
  ),
  /** Pending and completed refunds. */
  refunds: v.array(
    v.object({
      orderId: v.string(),
      amountPaise: v.number(),
      reason: v.string(),
      state: v.picklist(['QUEUED', 'PENDING', 'SUCCEEDED', 'FAILED']),
      at: v.string(),
    }),
  ),
  /** Receipts, tax invoices and credit notes. Their PDFs are at `/api/orders/{orderId}/receipt.pdf` and `credit-note.pdf`. */
  invoices: v.array(
    v.object({
      orderId: v.string(),
      kind: v.picklist(['receipt', 'invoice', 'credit_note']),
      number: v.string(),
      issuedAt: v.string(),
      totalPaise: v.number(),
    }),
  ),
  /** Plans and the trial, including ended and refunded ones. */
  plans: v.array(
    v.object({
      planId: v.string(),
      isTrial: v.boolean(),
      isGift: v.boolean(),
      states: v.array(v.string()),
      startsAt: v.string(),
      endsAt: v.string(),
      revokedAt: v.nullable(v.string()),
      isTest: v.boolean(),
    }),
  ),
  /** Packages bought, or downloaded with a plan. */
  documents: v.array(PurchasedPackage),
  /** Requests for documents of tenders, made by the account or with its e-mail address. */
  documentRequests: v.array(
    v.object({ tenderId: v.string(), title: v.string(), askedAt: v.string(), answeredAt: v.nullable(v.string()) }),
  ),
  /** Mistakes in tenders that the account has reported. The answers are in supportThreads. */
  tenderReports: v.array(
    v.object({ tenderId: v.string(), kind: v.string(), text: v.string(), reportedAt: v.string() }),
  ),
  /** Firms of the user. Their records belong to the firms, whose owners export them. */
  firms: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      role: v.string(),
      joinedAt: v.string(),
      leftAt: v.nullable(v.string()),
    }),
  ),
  /** Bids, marks of checklists, deposits, releases, letters, documents, works, enlistments, figures and rates, including deleted ones that are still stored. */
  records: v.array(
    v.object({
      kind: v.string(),
      id: v.string(),
      fields: v.record(v.string(), v.unknown()),
      isDeleted: v.boolean(),
      changedAt: v.string(),
    }),
  ),
  /** Backed-up files of documents. Records refer to them by their hash. The app downloads them. */
  documentFiles: v.array(v.object({ hash: v.string(), bytes: v.number(), storedAt: v.string() })),
  /** Messages to support and its answers. The app downloads the attachments. */
  supportThreads: v.array(SupportThread),
  /** What was read in documents that the account shared into the app. The server does not have the files. */
  ownReadings: v.array(OwnReading),
  bookmarks: v.array(v.object({ tenderId: v.string(), title: v.string(), bookmarkedAt: v.string() })),
  /** Devices that get alerts, without their push endpoints. */
  devices: v.array(
    v.object({
      channel: v.picklist(['push', 'email']),
      name: v.string(),
      preferences: AlertPreferences,
      since: v.string(),
      lastReachedAt: v.nullable(v.string()),
    }),
  ),
  notices: v.array(
    // a notice about a document of the vault has no tender
    v.object({ kind: v.string(), tenderId: v.nullable(v.string()), at: v.string(), readAt: v.nullable(v.string()) }),
  ),
  /** New e-mail addresses that are not verified or not stored yet. */
  pendingEmails: v.array(v.object({ email: v.string(), askedAt: v.string() })),
  consents: v.array(v.object({ purpose: v.string(), termsVersion: v.string(), givenAt: v.string() })),
  /** Audit events of the user or the account. */
  events: v.array(v.object({ action: v.string(), at: v.string(), detail: v.record(v.string(), v.unknown()) })),
});
export type AccountExportResponse = v.InferOutput<typeof AccountExportResponse>;
