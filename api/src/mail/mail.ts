/** All mails of the app by kind. `to` is one address. Every field is checked before it is used in a header. */
import type { Language } from '@nivida/contract/languages';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';

export type Mail = OperatorMail | (UserMail & { language: Language });

/** A mail in the language of its reader. Its links lead to pages in that language. */
type UserMail =
  /** The code that proves an address, at registration and for a changed e-mail. */
  | { kind: 'email-code'; to: string; code: string }
  /** Sent instead of a code if the address already has an account. */
  | { kind: 'already-registered'; to: string }
  | { kind: 'password-reset'; to: string; username: string; link: string }
  | { kind: 'password-changed'; to: string; username: string }
  /** Sent to the old address. */
  | { kind: 'email-changed'; to: string; username: string; newEmail: string }
  /** `lastDigits` of the new mobile number, with which the user signs in. */
  | { kind: 'mobile-changed'; to: string; username: string; lastDigits: string }
  /** `name` as the user has named the passkey. */
  | { kind: 'passkey-added' | 'passkey-removed'; to: string; username: string; name: string }
  /** A recovery code took the place of a passkey; `left` are still unused. */
  | { kind: 'recovery-code-used'; to: string; username: string; left: number }
  /** An invitation to a firm; `link` has its token. */
  | { kind: 'firm-invitation'; to: string; firm: string; invitedBy: string; days: number; link: string }
  /** Until `erasedOn` signing in restores the account. */
  | { kind: 'account-deleted'; to: string; username: string; erasedOn: Date }
  /** `isBySupport`: support has stopped the erasure, not the user by signing in. */
  | { kind: 'account-restored'; to: string; username: string; isBySupport?: boolean }
  /** A message of the operator about the service; `paragraphs` in the language of the mail. */
  | { kind: 'operator-message'; to: string; subject: string; paragraphs: string[] }
  /** `receiptNumber` of the receipt or tax invoice; `link` to the order's page. */
  | {
      kind: 'order-paid';
      to: string;
      orderId: string;
      title: string;
      amountPaise: number;
      receiptNumber: string;
      link: string;
      /** No money moved. */
      isTest: boolean;
    }
  /** The payment page ended without a payment. */
  | {
      kind: 'order-unpaid';
      to: string;
      orderId: string;
      title: string;
      amountPaise: number;
      end: 'declined' | 'cancelled' | 'expired';
      link: string;
      isTest: boolean;
    }
  /** A captured payment does not match its order; support decides within a day. `link` to the order's page. */
  | {
      kind: 'order-checked';
      to: string;
      orderId: string;
      title: string;
      amountPaise: number;
      paid: { amountPaise: number; currency: string };
      isLate: boolean;
      link: string;
      isTest: boolean;
    }
  /** A paid plan ends or has ended, and no other plan of the buyer follows it. `endsAt` in ISO 8601. */
  | { kind: 'plan-ends'; to: string; planName: string; endsAt: string; days: number; link: string }
  /** A refund was sent; `reason` follows 'because' and is translated if it is one of `refund-reasons.ts`. */
  | {
      kind: 'order-refunded';
      to: string;
      orderId: string;
      title: string;
      amountPaise: number;
      currency: string;
      reason: string;
      /** Null for a payment without a receipt. */
      creditNoteNumber: string | null;
      link: string;
      isTest: boolean;
    }
  /** Link to a package: bought, rebuilt after a corrigendum, or requested again. `expiresAt` in ISO 8601. */
  | {
      kind: 'documents-ready';
      to: string;
      orderId: string;
      title: string;
      link: string;
      expiresAt: string;
      news: 'bought' | 'changed' | 'again';
      isDemonstration: boolean;
    }
  /** Support has corrected the address of an order; `isNew` for the mail to the new address. */
  | { kind: 'order-email-changed'; to: string; orderId: string; isNew: boolean }
  /** Requested documents are available; `link` to the tender. */
  | { kind: 'documents-available'; to: string; title: string; link: string }
  /** Support has answered a message; `link` to the thread, which has the files of the answer. */
  | {
      kind: 'support-answer';
      to: string;
      username: string;
      subject: string;
      answer: string;
      files: number;
      link: string;
    }
  /** The answer to a visitor, who has no account. */
  | { kind: 'visitor-answer'; to: string; name: string; subject: string; question: string; answer: string }
  /** Alerts by mail instead of push. */
  | ({ kind: 'closing-reminder' | 'tender-changed' | 'new-tenders' | 'document-expiry'; to: string } & AlertText);

/** A mail to support, in English. */
type OperatorMail =
  /** An order waits for a decision, for the reason in `what`. */
  | { kind: 'order-review'; to: string; orderId: string; what: string }
  /** A feed's file was not imported. `what` holds the reason and the remedy. */
  | { kind: 'feed-held'; to: string; portal: string; what: string }
  /** A message to support from `replyTo`; `files` is the number of its attachments, `link` leads to its thread at the desk. */
  | {
      kind: 'contact';
      to: string;
      replyTo: string;
      name: string;
      email: string;
      phone: string;
      company: string;
      subject: string;
      message: string;
      files: number;
      link: string;
    };

/** The text of an alert. `link` leads to the tender or the list of notices. `stopLink` ends these mails. */
interface AlertText {
  title: string;
  lines: string[];
  link: string;
  stopLink: string;
}

export type MailKind = Mail['kind'];

/** Seconds after which a mail of a kind is outdated and not sent. */
export const MAX_AGE_SECONDS: Readonly<Record<MailKind, number>> = {
  'email-code': 10 * MINUTE_SECONDS,
  'already-registered': HOUR_SECONDS,
  'password-reset': 30 * MINUTE_SECONDS,
  'password-changed': 6 * HOUR_SECONDS,
  'email-changed': 6 * HOUR_SECONDS,
  'mobile-changed': 6 * HOUR_SECONDS,
  'passkey-added': 6 * HOUR_SECONDS,
  'passkey-removed': 6 * HOUR_SECONDS,
  'recovery-code-used': 6 * HOUR_SECONDS,
  'firm-invitation': DAY_SECONDS,
  'account-deleted': 6 * HOUR_SECONDS,
  'account-restored': 6 * HOUR_SECONDS,
  'operator-message': 7 * DAY_SECONDS,
  'order-paid': 3 * DAY_SECONDS,
  'order-unpaid': DAY_SECONDS,
  'order-checked': DAY_SECONDS,
  'plan-ends': DAY_SECONDS,
  'order-refunded': 3 * DAY_SECONDS,
  'order-review': 7 * DAY_SECONDS,
  'feed-held': 7 * DAY_SECONDS,
  'documents-ready': 3 * DAY_SECONDS,
  'documents-available': 3 * DAY_SECONDS,
  'order-email-changed': 3 * DAY_SECONDS,
  'closing-reminder': 3 * HOUR_SECONDS,
  'tender-changed': DAY_SECONDS,
  'new-tenders': DAY_SECONDS,
  'document-expiry': DAY_SECONDS,
  contact: 7 * DAY_SECONDS,
  'support-answer': 3 * DAY_SECONDS,
  'visitor-answer': 3 * DAY_SECONDS,
};
