/** A device's position as one opaque text: the epoch, the change number and the last comparison with the portals. */
export interface SyncCursor {
  epoch: string;
  changeNo: number;
  stamp: string;
}

/** The text of a cursor. */
export const formatCursor = ({ epoch, changeNo, stamp }: SyncCursor): string => `${epoch}.${changeNo}.${stamp}`;

/** The cursor of a text; undefined for any other text. */
export function parseCursor(text: string): SyncCursor | undefined {
  const match = /^([\w-]{1,40})\.(0|[1-9]\d{0,14})\.([0-9a-z]{1,12})$/.exec(text);
  return match ? { epoch: match[1] as string, changeNo: Number(match[2]), stamp: match[3] as string } : undefined;
}

/** A short text that changes when any portal was compared again. The newest time is enough, because imports follow one another. */
export const checkedStamp = (checked: Record<string, string>): string =>
  Math.max(0, ...Object.values(checked).map(Date.parse)).toString(36);
