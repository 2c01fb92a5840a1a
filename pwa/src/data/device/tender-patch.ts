/** Applies a pushed change to a stored tender or card. The app and the service worker use the same rule. */
import type { TenderPatch } from '@nivida/contract/push/push';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';

const isSameInstant = (one: string, other: string) => Date.parse(one) === Date.parse(other);

const oldClosings = ({ oldClosing, interimClosings = [] }: TenderPatch) => [oldClosing, ...interimClosings];

/** When old and new closing are equal, the corrigendum is about another field. */
const patchedFields = (patch: TenderPatch) => ({
  closing_date: patch.newClosing,
  last_corrigendum: oldClosings(patch).every((closing) => isSameInstant(closing, patch.newClosing))
    ? ('other' as const)
    : ('date' as const),
});

/**
 * Patches a card. A card has no version. If its closing is none of the patch's old closings, the card is
 * newer and stays as it is.
 */
export function patchSummary<Summary extends TenderSummary>(summary: Summary, patch: TenderPatch): Summary {
  return oldClosings(patch).some((closing) => isSameInstant(summary.closing_date, closing))
    ? { ...summary, ...patchedFields(patch) }
    : summary;
}

/** Patches a tender. A tender of the patch's version or a later one stays as it is. */
export function patchTender(tender: Tender, patch: TenderPatch): Tender {
  return tender.version < patch.version ? { ...tender, ...patchedFields(patch), version: patch.version } : tender;
}

/**
 * Merges two patches of a tender: from the old closing of the earlier patch to the new closing of the later
 * one.
 */
export function mergePatches(earlier: TenderPatch, later: TenderPatch): TenderPatch {
  const { oldClosing } = earlier;
  const { tenderId, version, newClosing } = later;
  const between = [...oldClosings(earlier), earlier.newClosing, ...oldClosings(later)].filter(
    (closing) => !isSameInstant(closing, oldClosing) && !isSameInstant(closing, newClosing),
  );
  const interimClosings = [...new Set(between)];
  return { tenderId, version, oldClosing, newClosing, ...(interimClosings.length > 0 && { interimClosings }) };
}
