/** Sentences about a BOQ and the bidder's rates for it. */
import { plural, t } from '@lingui/core/macro';
import type { BoqKind } from '@nivida/contract/documents/boq';
import type { ReadingState } from '@nivida/contract/documents/document-facts';
import type { BoqSummary } from '@nivida/contract/documents/tender-reading';
import { formatCount, formatFullRupees } from '@nivida/contract/format';
import type { CopyFinding, TemplatePart } from '@nivida/contract/rates/filled-copy';

/** An amount in full: '₹4,50,000.50'. */
export const paiseText = (paise: number): string => formatFullRupees(paise / 100);

/** '4.2 % below', '3 % above', 'at the estimate'. */
export function distanceText(percent: string): string {
  const size = percent.replace('-', '');
  if (Number(size) === 0) return t`at the estimate`;
  return percent.startsWith('-') ? t`${size} % below the estimate` : t`${size} % above the estimate`;
}

export function kindText(kind: BoqKind): string {
  switch (kind) {
    case 'percentage':
      return t`Percentage: one per cent above or below the office's rates`;
    case 'item-rate':
      return t`Item rates: a rate for each item`;
    case 'item-wise':
      return t`Item-wise: an offer for single items is possible`;
  }
}

/** '308 items'. */
export const itemsText = (items: number): string =>
  plural(items, { one: '# item', other: `${{ items: formatCount(items) }} items` });

/** How the sum of the items compares with the total that the file states; null where there is nothing to compare. */
export function totalCheckText({ totalPaise, statedTotalPaise, totalState }: BoqSummary): string | null {
  if (totalPaise === null || statedTotalPaise === null) return null;
  const [sum, stated] = [paiseText(totalPaise), paiseText(statedTotalPaise)];
  return totalState === 'agrees'
    ? t`The items add up to the total that the file states.`
    : t`The items add up to ${sum}, but the file states ${stated}.`;
}

/** Why a BOQ has no items to show; null for one that was read. */
export function unreadText(state: ReadingState): string | null {
  switch (state) {
    case 'waiting':
      return t`This BOQ has not been read yet.`;
    case 'locked':
      return t`This BOQ is locked with a password. Open it on a computer.`;
    case 'template':
      return t`This BOQ is an empty template: it has no items.`;
    case 'broken':
      return t`This BOQ is damaged and cannot be read.`;
    case 'too-large':
      return t`This BOQ is too large to be read.`;
    case 'other':
    case 'pictures':
    case 'font':
      return t`This BOQ has a format that cannot be read.`;
    case 'done':
    case 'part':
      return null;
  }
}

function partText(part: TemplatePart): string {
  switch (part) {
    case 'sheet':
      return t`name of the sheet`;
    case 'no':
      return t`number`;
    case 'text':
      return t`description`;
    case 'unit':
      return t`unit`;
    case 'quantity':
      return t`quantity`;
    case 'rate':
      return t`rate of the office`;
  }
}

/** Whether a portal refuses a file because of this. */
export const isTemplateFinding = ({ kind }: CopyFinding): boolean =>
  kind === 'changed' || kind === 'removed' || kind === 'added';

/** What differs in a filled copy. */
export function findingText(finding: CopyFinding): string {
  const { row } = finding;
  switch (finding.kind) {
    case 'changed': {
      const [part, original, filled] = [partText(finding.part), finding.original, finding.filled];
      return row === 0
        ? t`The template was changed: ${part} “${filled}” instead of “${original}”.`
        : t`The template was changed in row ${row}: ${part} “${filled}” instead of “${original}”.`;
    }
    case 'removed':
      return t`The template was changed: row ${row} is missing.`;
    case 'added':
      return t`The template was changed: row ${row} is new.`;
    case 'blank': {
      const own = finding.own;
      if (row === 0) return own === null ? t`The file has no per cent.` : t`The file has no per cent; yours is ${own}.`;
      return own === null ? t`Row ${row} has no rate.` : t`Row ${row} has no rate; yours is ${own}.`;
    }
    case 'other-rate': {
      const { filled, own } = finding;
      return row === 0
        ? t`Per cent: ${filled} in the file, ${own} in your rates.`
        : t`Row ${row}: ${filled} in the file, ${own} in your rates.`;
    }
    case 'not-mine': {
      const { filled } = finding;
      return row === 0
        ? t`Per cent: ${filled} in the file, none in your rates.`
        : t`Row ${row}: ${filled} in the file, none in your rates.`;
    }
  }
}

/** 'All 308 rates agree'. */
export const agreeText = (rates: number): string =>
  plural(rates, { one: 'The # rate agrees with yours.', other: 'All # rates agree with yours.' });

/** '12 of 308 without a rate'. */
export const blanksText = (blanks: number, items: number): string =>
  plural(blanks, { one: `# of ${items} without a rate`, other: `# of ${items} without a rate` });
