import type { AlertPreferences } from '@nivida/contract/push/push';

/** A device, or the alert mails of an account. */
export interface PushDevice {
  id: string;
  channel: 'push' | 'email';
  userId: string | null;
  recipient: string;
  host: string;
  endpoint: string | null;
  p256dh: string | null;
  auth: string | null;
  vapidKid: string | null;
  preferences: AlertPreferences;
  errors: number;
  errorsSince: Date | null;
  goneSince: Date | null;
  lastOkAt: Date | null;
  /** Null for a deleted account. */
  email: string | null;
  /** Limited messages since midnight in the device's zone. */
  countedToday: number;
  /** End of the present quiet hours. */
  quietUntil: Date | null;
}

/** The document that a notice is about. */
export interface DocumentDetail {
  documentId: string;
  /** Null when the user has not chosen one. */
  documentKind: string | null;
  /** The user's name for it, or null. */
  title: string | null;
  /** The last Indian day of validity, '2026-04-15'. */
  validUntil: string;
}

/** The answer that a notice is about. */
export interface AnswerDetail {
  threadId: string;
  messageId: string;
  subject: string;
  /** The last Indian day on which a push is useful. */
  validUntil: string;
}

/** The row of a firm's checklist that a notice is about. */
export interface AssignmentDetail {
  firmId: string;
  firm: string;
  rowId: string;
  /** Name of an own row, a portal's line, or a kind of document. */
  row: string;
  /** A bid that was entered by hand; else null. */
  bidId: string | null;
  tenderId: string | null;
  /** Title of the tender or bid. */
  title: string;
  /** The last Indian day on which a push is useful. */
  validUntil: string;
}

/** One notice for one device, with the present facts of its tender. */
export interface NoticeDelivery {
  id: string;
  deviceId: string;
  tries: number;
  /** When it was to be sent; after a failed try, when the notice was made. */
  dueAt: Date;
  /** A `NoticeKind`, or a kind of a newer version of this server. */
  kind: string;
  version: number;
  works: number;
  detail:
    | ({ fields?: string[]; oldClosing?: string; newClosing?: string; officeName?: string } & Partial<DocumentDetail> &
        Partial<AnswerDetail> &
        Partial<Omit<AssignmentDetail, 'title'>>)
    | null;
  searchName: string | null;
  /** Null for a notice about a document, an answer or an assignment. The fields of the tender are then empty. */
  tenderId: number | null;
  title: string;
  sourceId: string;
  reference: string | null;
  nitKey: string | null;
  district: string | null;
  secondDistrict: string | null;
  state: string;
  /** The closing of the tender, or the end of a document's validity or of an answer's use. */
  closesAt: Date;
  closingTimeKnown: boolean;
  /** Cancelled or retendered. */
  isWithdrawn: boolean;
  /** The closing was moved after the notice was created. */
  isOutdated: boolean;
  /** The recipient no longer follows the tender or office, the document was renewed or deleted, the answer was read, or the row has another assignee. */
  isUnfollowed: boolean;
  /** Whether the device wants it by its present preferences. */
  isWanted: boolean;
}
