/** Where a device stands, as one opaque text: the epoch, the change number, and which comparison of the portals it knows. */
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

/** Tells one set of comparisons from another; each import is later than all before it. */
export const checkedStamp = (checked: Record<string, string>): string =>
  Math.max(0, ...Object.values(checked).map(Date.parse)).toString(36);
