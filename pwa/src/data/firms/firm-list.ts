/** The list of the user's firms on the device, and who hears of lost ones. Small, because the first screens load it. */
import type { Firm } from '@nivida/contract/firms/firms';
import type { DeviceDatabase } from '../device/schema.ts';

/** A firm whose data were deleted from this device. `unsent`: records with changes that had not been sent. */
export interface LostFirm {
  id: string;
  name: string;
  unsent: number;
}

export const firmListKey = (userId: string): string => `firms of ${userId}`;

/** The user's firms as the server last named them. */
export async function readFirms(db: DeviceDatabase, userId: string): Promise<Firm[]> {
  return ((await db.settings.get(firmListKey(userId)))?.value as Firm[] | undefined) ?? [];
}

/** The owner of a firm's records on the device of a user. */
export const firmOwner = (userId: string, firmId: string): string => `${userId} ${firmId}`;

/** The owners of all records that the device has, or may get, for a user: the own ones, then those of the firms. */
export async function recordOwnersOf(db: DeviceDatabase, userId: string): Promise<string[]> {
  const firms = await readFirms(db, userId);
  return [userId, ...firms.map(({ id }) => firmOwner(userId, id))];
}

let onLost: (lost: readonly LostFirm[]) => void = () => undefined;

/** Sets what is done after the data of firms were deleted from this device. */
export function onFirmsLost(listener: (lost: readonly LostFirm[]) => void): void {
  onLost = listener;
}

/** Says that firms were lost. */
export function reportLostFirms(lost: readonly LostFirm[]): void {
  if (lost.length > 0) onLost(lost);
}
