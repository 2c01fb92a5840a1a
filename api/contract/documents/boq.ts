/** The bill of quantities (BOQ) of an official workbook, as the reader found it. */
import * as v from 'valibot';
import { billionths, Decimal, paiseOf, product } from './decimals.ts';

/**
 * A line of the table. A heading has neither quantity nor rate; an item whose quantity cannot be read has a rate alone.
 * Amounts are rupees as decimals.
 */
export const BoqItem = v.object({
  /** The row of the sheet, from 1. It identifies the line within its file. */
  row: v.number(),
  /** The serial number as written, '1.02'; empty without one. */
  no: v.string(),
  text: v.string(),
  unit: v.nullable(v.string()),
  quantity: v.nullable(Decimal),
  /** The office's rate for one unit; null where the bidder fills it in. */
  rate: v.nullable(Decimal),
  /** The rate that was filled in by a bidder; null in an original. */
  offered: v.nullable(Decimal),
});
export type BoqItem = v.InferOutput<typeof BoqItem>;

/**
 * `percentage`: one per cent above or below the office's rates. `item-rate`: the bidder fills in a rate for each item.
 * `item-wise`: bidders may offer for single items.
 */
export const BOQ_KINDS = ['percentage', 'item-rate', 'item-wise'] as const;
export type BoqKind = (typeof BOQ_KINDS)[number];

export const Boq = v.object({
  kind: v.picklist(BOQ_KINDS),
  /** Name of the sheet. */
  sheet: v.string(),
  items: v.array(BoqItem),
  /** The total of the office's amounts that the file itself states, in rupees. */
  statedTotal: v.nullable(Decimal),
  /** The per cent that was filled in, negative below; null in an original. */
  offeredPercent: v.nullable(Decimal),
});
export type Boq = v.InferOutput<typeof Boq>;

/** Whether a line is an item and not a heading. */
export const isItem = ({ quantity }: BoqItem): boolean => quantity !== null;

/** The amount of an item in paise at a rate; null without a quantity or rate. */
export function itemPaise({ quantity }: BoqItem, rate: string | null): number | null {
  return quantity === null || rate === null ? null : paiseOf(product(quantity, rate));
}

/**
 * The sum of the office's amounts in paise, rounded once, at the end. Null when an item has no rate or no readable
 * quantity, and when items that files reckon in two ways do not add up to the file's own total.
 */
export function boqTotalPaise({ items, statedTotal }: Pick<Boq, 'items' | 'statedTotal'>): number | null {
  let sum = 0n;
  let priced = 0;
  for (const { quantity, rate } of items) {
    if (quantity === null && rate === null) continue;
    if (quantity === null || rate === null) return null;
    sum += product(quantity, rate);
    priced += 1;
  }
  if (priced === 0) return null;
  const total = paiseOf(sum);
  return items.some(isReckonedInTwoWays) && !isStated(total, statedTotal) ? null : total;
}

const UNIT_OF_MANY = /\d{2}|[%‰]|\b(?:hundred|thousand)\b/i;
const DEDUCTION = /^\W*(?:deduct|less|credit|rebate|recover)/i;

/** A rate "per 100 sqm" may be for the quantity or a hundredth of it. A deduction may be written without a minus. */
const isReckonedInTwoWays = ({ unit, text, quantity, rate }: BoqItem): boolean =>
  UNIT_OF_MANY.test(unit ?? '') ||
  (DEDUCTION.test(text) && quantity !== null && !quantity.startsWith('-') && !rate?.startsWith('-'));

/** Amounts that differ by one rupee or less agree: workbooks round each amount or only the total. */
const isStated = (total: number, statedTotal: string | null): boolean =>
  statedTotal !== null && Math.abs(total - paiseOf(billionths(statedTotal))) <= 100;

/** One line for the whole work: the quantities are in another document. */
export const isLumpSum = ({ items }: Pick<Boq, 'items'>): boolean => items.filter(isItem).length === 1;

/** How the sum of the items compares with the total that the file states. */
export const TOTAL_STATES = ['agrees', 'differs', 'unknown'] as const;
export type TotalState = (typeof TOTAL_STATES)[number];

export function totalState(boq: Pick<Boq, 'items' | 'statedTotal'>): TotalState {
  const total = boqTotalPaise(boq);
  if (total === null || boq.statedTotal === null) return 'unknown';
  return isStated(total, boq.statedTotal) ? 'agrees' : 'differs';
}
