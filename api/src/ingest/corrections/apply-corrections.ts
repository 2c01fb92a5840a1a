/** Applies the corrections of operators to the row of a tender as its source states it. */
import type { CorrectableField } from '@nivida/contract/desk/tenders';
import { findRegion } from '@nivida/contract/regions/regions';
import { type EntityManager, In, IsNull } from 'typeorm';
import { deriveDistrict, type PincodeTable, type PlaceTexts } from '../places/places.ts';
import { type StoredRow, toSearchedTender, toTsvector } from '../stored-row.ts';
import { CORRECTED_FIELDS } from './corrected-fields.ts';
import { type CorrectionEnd, CorrectionEntity } from './correction.entity.ts';

/** A correction; without a source value it takes the row's value. */
export interface AppliedCorrection {
  field: CorrectableField;
  value: string | null;
  sourceValue?: string | null;
}

/** Fields that decide the derived district. */
const PLACE_FIELDS: readonly CorrectableField[] = ['title', 'pincode'];

/** Whether a correction is one of a field that is derived from others. */
export const isDerived = ({ field }: AppliedCorrection): boolean => CORRECTED_FIELDS[field].isDerived ?? false;

const DATE_FIELDS: readonly CorrectableField[] = ['closing', 'opening', 'bid_start', 'pre_bid'];

/** Whether a correction is one of a date, which moves with a rebase. */
export const isOfDate = ({ field }: AppliedCorrection): boolean => DATE_FIELDS.includes(field);

/** Applies the corrections whose source value the row still has, and derives what follows. Returns the others, which have ended. */
export function applyCorrections<Correction extends AppliedCorrection>(
  row: StoredRow,
  corrections: readonly Correction[],
  pincodes: PincodeTable,
): Correction[] {
  const ended = applyStated(
    row,
    corrections.filter((each) => !isDerived(each)),
  );
  const isPlaceCorrected = corrections.some((each) => PLACE_FIELDS.includes(each.field) && !ended.includes(each));
  if (isPlaceCorrected) derivePlace(row, pincodes);
  ended.push(...applyStated(row, corrections.filter(isDerived)));
  if (ended.length < corrections.length) deriveWords(row);
  return ended;
}

/** Applies corrections one by one, without what follows from them. Returns those that have ended. */
export function applyStated<Correction extends AppliedCorrection>(
  row: StoredRow,
  corrections: readonly Correction[],
): Correction[] {
  return corrections.filter((correction) => {
    const field = CORRECTED_FIELDS[correction.field];
    const value = field.read(row);
    correction.sourceValue ??= correction.sourceValue === undefined ? value : null;
    if (value !== correction.sourceValue) return true;
    field.write(row, correction.value);
    return false;
  });
}

/** Gives a stored row the values of its source again. */
export function undoCorrections(
  row: StoredRow,
  corrections: readonly AppliedCorrection[],
  pincodes: PincodeTable,
): void {
  if (corrections.length === 0) return;
  for (const { field, sourceValue = null } of corrections) CORRECTED_FIELDS[field].write(row, sourceValue);
  if (corrections.some(({ field }) => field === 'district' || PLACE_FIELDS.includes(field))) derivePlace(row, pincodes);
  deriveWords(row);
}

function derivePlace(row: StoredRow, pincodes: PincodeTable): void {
  const region = findRegion(row.state as string);
  if (!region) return;
  const found = deriveDistrict(region, { ...(row as unknown as PlaceTexts), ...chainOf(row) }, pincodes);
  row.district = found.district;
  row.second_district = found.secondDistrict ?? null;
  row.district_confidence = found.confidence;
}

const chainOf = (row: StoredRow) => ({ organisationChain: row.organisation_chain as string[] });

function deriveWords(row: StoredRow): void {
  const texts = { ...row, ...chainOf(row), sourceId: row.source_id } as unknown as Parameters<
    typeof toSearchedTender
  >[0];
  const places = { district: row.district as string | null, secondDistrict: row.second_district as string | null };
  row.words = toTsvector(toSearchedTender(texts, places, row.department as string | null));
}

/** The corrections of tenders that hold, by the tender's id. */
export async function readCorrections(
  manager: EntityManager,
  tenderIds: number[],
): Promise<Map<number, CorrectionEntity[]>> {
  const found = await manager
    .getRepository(CorrectionEntity)
    .find({ where: { tenderId: In(tenderIds), endedAt: IsNull() }, order: { id: 'ASC' } });
  return Map.groupBy(found, ({ tenderId }) => tenderId);
}

/** Records that corrections have ended. */
export async function endCorrections(
  manager: EntityManager,
  ended: readonly CorrectionEntity[],
  endedBecause: CorrectionEnd,
  endedAt: Date,
): Promise<void> {
  if (ended.length === 0) return;
  await manager
    .getRepository(CorrectionEntity)
    .update({ id: In(ended.map(({ id }) => id)) }, { endedAt, endedBecause });
}
