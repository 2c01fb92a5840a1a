/** A workbook that the bidder filled for the portal, compared cell by cell with the original and with his rates. */
import { type Boq, type BoqItem, isItem } from '../documents/boq.ts';
import { isSameDecimal, type RatesByRow } from './my-rates.ts';

export const TEMPLATE_PARTS = ['sheet', 'no', 'text', 'unit', 'quantity', 'rate'] as const;
export type TemplatePart = (typeof TEMPLATE_PARTS)[number];

/** What differs. A portal refuses a file whose template was changed, so those come first. */
export type CopyFinding =
  /** A cell of the template was changed; `row` is 0 for the sheet's name. */
  | { kind: 'changed'; row: number; part: TemplatePart; original: string; filled: string }
  | { kind: 'removed'; row: number }
  | { kind: 'added'; row: number }
  /** The file has no rate where the bidder has one. `row` is 0 for the per cent. */
  | { kind: 'blank'; row: number; own: string | null }
  | { kind: 'other-rate'; row: number; own: string; filled: string }
  /** The file has a rate where the bidder has none. */
  | { kind: 'not-mine'; row: number; filled: string };

export interface FilledCopy {
  findings: CopyFinding[];
  /** Items of the original. */
  items: number;
  /** Rates of the file that are those of the bidder. */
  agreeing: number;
}

const isSame = (one: string | null, other: string | null, part: TemplatePart): boolean => {
  if (one === null || other === null) return one === other;
  if (part === 'quantity' || part === 'rate') return isSameDecimal(one, other);
  return one.trim() === other.trim();
};

const ITEM_PARTS = ['no', 'text', 'unit', 'quantity', 'rate'] as const;

function changedParts(original: BoqItem, filled: BoqItem): CopyFinding[] {
  return ITEM_PARTS.filter((part) => !isSame(original[part], filled[part], part)).map((part) => ({
    ...{ kind: 'changed', row: original.row, part },
    ...{ original: original[part] ?? '', filled: filled[part] ?? '' },
  }));
}

/** The rate that was filled in, compared with the bidder's own. */
function rateFinding(row: number, filled: string | null, own: string | null): CopyFinding | undefined {
  if (filled === null) return { kind: 'blank', row, own };
  if (own === null) return { kind: 'not-mine', row, filled };
  return isSameDecimal(filled, own) ? undefined : { kind: 'other-rate', row, own, filled };
}

/** Compares a filled copy with the original and with the bidder's rates, or his per cent for a percentage BOQ. */
export function compareFilledCopy(
  original: Boq,
  filled: Boq,
  own: { rates: RatesByRow; percent: string | null },
): FilledCopy {
  const filledRows = new Map(filled.items.map((item) => [item.row, item]));
  const originalRows = new Set(original.items.map(({ row }) => row));
  const items = original.items.filter(isItem);
  const isSheetSame = original.sheet === filled.sheet;
  const template: CopyFinding[] = [
    ...(isSheetSame
      ? []
      : [{ kind: 'changed' as const, row: 0, part: 'sheet' as const, original: original.sheet, filled: filled.sheet }]),
    ...original.items.flatMap((item): CopyFinding[] => {
      const present = filledRows.get(item.row);
      return present ? changedParts(item, present) : [{ kind: 'removed', row: item.row }];
    }),
    ...filled.items.flatMap(({ row }): CopyFinding[] => (originalRows.has(row) ? [] : [{ kind: 'added', row }])),
  ];
  const rates =
    original.kind === 'percentage'
      ? [rateFinding(0, filled.offeredPercent, own.percent)]
      : items
          .filter(({ row }) => filledRows.has(row))
          .map(({ row }) => rateFinding(row, filledRows.get(row)?.offered ?? null, own.rates.get(row) ?? null));
  const differing = rates.filter((finding) => finding !== undefined);
  return { findings: [...template, ...differing], items: items.length, agreeing: rates.length - differing.length };
}
