/** A device's position as one opaque text: the epoch, the change number and the last comparison with the portals. */
export interface SyncCursor {
  epoch: string;
  changeNo: number;
  stamp: string;
}

/** The text of a cursor. */
export const formatCursor = ({ epoch, changeNo, stamp }: SyncCursor): string => `${epoch}.${changeNo}.${stamp}`;

/** The cursor of a text; undefined when it is none. */
export function parseCursor(text: string): SyncCursor | undefined {
  const match = /^([\w-]{1,40})\.(0|[1-9]\d{0,14})\.([0-9a-z]{1,12})$/.exec(text);
  return match ? { epoch: match[1] as string, changeNo: Number(match[2]), stamp: match[3] as string } : undefined;
}

/** A short text for a set of comparisons; each import is later than all earlier ones. */
export const checkedStamp = (checked: Record<string, string>): string =>
  Math.max(0, ...Object.values(checked).map(Date.parse)).toString(36);
