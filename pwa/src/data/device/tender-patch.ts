/** Applies a pushed change to a stored tender or card, by the same rule in the app and in the service worker. */
import type { TenderPatch } from '@nivida/contract/push/push';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';

const isSameInstant = (one: string, other: string) => Date.parse(one) === Date.parse(other);

const oldClosings = ({ oldClosing, interimClosings = [] }: TenderPatch) => [oldClosing, ...interimClosings];

/** A closing that never changed means that the corrigendum concerns another field. */
const patchedFields = (patch: TenderPatch) => ({
  closing_date: patch.newClosing,
  last_corrigendum: oldClosings(patch).every((closing) => isSameInstant(closing, patch.newClosing))
    ? ('other' as const)
    : ('date' as const),
});

/** A card has no version: one whose closing is not an old closing of the patch is newer and stays. */
export function patchSummary<Summary extends TenderSummary>(summary: Summary, patch: TenderPatch): Summary {
  return oldClosings(patch).some((closing) => isSameInstant(summary.closing_date, closing))
    ? { ...summary, ...patchedFields(patch) }
    : summary;
}

/** A tender of the patch's version or a later one stays as it is. */
export function patchTender(tender: Tender, patch: TenderPatch): Tender {
  return tender.version < patch.version ? { ...tender, ...patchedFields(patch), version: patch.version } : tender;
}

/** One patch of two of a tender: from the closing before the earlier one to that after the later one. */
export function mergePatches(earlier: TenderPatch, later: TenderPatch): TenderPatch {
  const { oldClosing } = earlier;
  const { tenderId, version, newClosing } = later;
  const between = [...oldClosings(earlier), earlier.newClosing, ...oldClosings(later)].filter(
    (closing) => !isSameInstant(closing, oldClosing) && !isSameInstant(closing, newClosing),
  );
  const interimClosings = [...new Set(between)];
  return { tenderId, version, oldClosing, newClosing, ...(interimClosings.length > 0 && { interimClosings }) };
}
