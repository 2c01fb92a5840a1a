/** The content of a receipt, tax invoice or credit note at the time of issue. */
import type { Language } from '@nivida/contract/languages';
import { INDIAN_OFFSET_MS } from '@nivida/contract/time';
import type { GstTax } from './gst-split.ts';

export type InvoiceKind = 'receipt' | 'invoice' | 'credit_note';

/**
 * Stored with the number and never changed. It outlives the account, so it has only the buyer's data that the law requires.
 */
export interface InvoiceContent {
  seller: { name: string; address: string; gstin: string; state: string; email: string; phone: string };
  /** `firm` and `address` only for a buyer with a GSTIN, and for a firm. */
  buyer: { name: string; state: string; gstin: string; firm?: string; address?: string };
  /** Public id of the order. */
  orderId: string;
  description: string;
  /** What the total is less by: unused days of the buyer's own plans. */
  credits?: { planName: string; unusedDays: number; paise: number }[];
  /** '' on a receipt. */
  sac: string;
  taxablePaise: number;
  /** Empty on a receipt. */
  taxes: GstTax[];
  totalPaise: number;
  /** The period of the service; `to` is exclusive. A delivery has one instant. */
  period: { from: string; to: string | null };
  payment: { reference: string; method: string | null; paidAt: string };
  /** Paid in the sandbox: no money moved. */
  isTest: boolean;
  /** The buyer's, that of the order. Its heads stand beside the English ones. */
  language?: Language;
  /** Number and day of the invoice that a credit note reverses. */
  against?: { number: string; issuedAt: string };
}

const NUMBER_DIGITS = 7;

/** The Indian financial year (April to March) of an instant: '26-27'. */
export function financialYear(at: Date): string {
  const india = new Date(at.getTime() + INDIAN_OFFSET_MS);
  const begins = india.getUTCFullYear() - (india.getUTCMonth() < 3 ? 1 : 0);
  return `${String(begins % 100).padStart(2, '0')}-${String((begins + 1) % 100).padStart(2, '0')}`;
}

/** 'TN/26-27/0000001' */
export const formatInvoiceNumber = (series: string, year: string, no: number): string =>
  `${series}/${year}/${String(no).padStart(NUMBER_DIGITS, '0')}`;
