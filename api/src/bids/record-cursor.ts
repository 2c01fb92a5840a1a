/** A device's position in the changes of a user, as one opaque text. */
export interface RecordCursor {
  epoch: string;
  /** The number of the last change that the device has. */
  number: number;
  /** Set while the device reads from the start. It needs no removals up to this number. */
  removedUpTo: number;
}

/** The text of a cursor. */
export const formatRecordCursor = ({ epoch, number, removedUpTo }: RecordCursor): string =>
  removedUpTo > 0 ? `${epoch}.${number}.${removedUpTo}` : `${epoch}.${number}`;

/** The cursor of a text; undefined for any other text. */
export function parseRecordCursor(text: string): RecordCursor | undefined {
  const match = /^([\w-]{1,40})\.(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text);
  return match
    ? { epoch: match[1] as string, number: Number(match[2]), removedUpTo: Number(match[3] ?? 0) }
    : undefined;
}
