/** Every mail that the app sends, by its kind. `to` is one address; nothing here is a header as it stands. */
export type Mail =
  /** The code that proves an address, at registration and for a changed e-mail. */
  | { kind: 'email-code'; to: string; code: string }
  /** Instead of a code, to an address that already has an account. */
  | { kind: 'already-registered'; to: string }
  | { kind: 'password-reset'; to: string; username: string; link: string }
  | { kind: 'password-changed'; to: string; username: string }
  /** To the old address. */
  | { kind: 'email-changed'; to: string; username: string; newEmail: string }
  /** `lastDigits` of the new number, by which people sign in. */
  | { kind: 'mobile-changed'; to: string; username: string; lastDigits: string }
  /** `erasedOn`: until then the account can be restored by signing in. */
  | { kind: 'account-deleted'; to: string; username: string; erasedOn: Date }
  | { kind: 'account-restored'; to: string; username: string }
  /** `receiptNumber` is that of the receipt or tax invoice; `link` leads to the order's page. */
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
  /** The payment page was opened and has ended without a payment. */
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
  /** A captured payment does not fit its order; support decides within a day. `link` leads to the order's page. */
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
  /** Money is on its way back; `reason` completes 'because'. */
  | {
      kind: 'order-refunded';
      to: string;
      orderId: string;
      title: string;
      amountPaise: number;
      reason: string;
      /** Null for money that never had a receipt. */
      creditNoteNumber: string | null;
      link: string;
      isTest: boolean;
    }
  /** To support: an order waits for a person. `what` says why. */
  | { kind: 'order-review'; to: string; orderId: string; what: string }
  /** To support: a feed's file was not imported. `what` says why, and what to do. */
  | { kind: 'feed-held'; to: string; portal: string; what: string }
  /** The way to a package: just bought, made anew after a corrigendum, or asked for again. `expiresAt` in ISO 8601. */
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
  /** Support has corrected the address of an order: `isNew`: the mail goes to the new one. */
  | { kind: 'order-email-changed'; to: string; orderId: string; isNew: boolean }
  /** The documents that the reader asked for can be had; `link` leads to the tender. */
  | { kind: 'documents-available'; to: string; title: string; link: string }
  /** Alerts of tenders, for who gets none on the phone; in the language of the account's alerts. */
  | ({ kind: 'closing-reminder' | 'tender-changed' | 'new-tenders'; to: string } & AlertText)
  /** A message of the contact form, to support; its answer goes to `replyTo`. */
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
    };

/**
 * What an alert says; `link` leads to the tender, or to the list of notices. `stopLink` stops these mails; mails that were
 * queued by an older version lack it.
 */
interface AlertText {
  title: string;
  lines: string[];
  language: 'en-IN' | 'hi-IN';
  link: string;
  stopLink?: string;
}

export type MailKind = Mail['kind'];

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds after which a mail of this kind is no longer worth sending: what it holds has ended, or the news is old. */
export const MAX_AGE_SECONDS: Readonly<Record<MailKind, number>> = {
  'email-code': 10 * MINUTE,
  'already-registered': HOUR,
  'password-reset': 30 * MINUTE,
  'password-changed': 6 * HOUR,
  'email-changed': 6 * HOUR,
  'mobile-changed': 6 * HOUR,
  'account-deleted': 6 * HOUR,
  'account-restored': 6 * HOUR,
  'order-paid': 3 * 24 * HOUR,
  'order-unpaid': 24 * HOUR,
  'order-checked': 24 * HOUR,
  'plan-ends': 24 * HOUR,
  'order-refunded': 3 * 24 * HOUR,
  'order-review': 7 * 24 * HOUR,
  'feed-held': 7 * 24 * HOUR,
  'documents-ready': 3 * 24 * HOUR,
  'documents-available': 3 * 24 * HOUR,
  'order-email-changed': 3 * 24 * HOUR,
  'closing-reminder': 3 * HOUR,
  'tender-changed': 24 * HOUR,
  'new-tenders': 24 * HOUR,
  contact: 7 * 24 * HOUR,
};
