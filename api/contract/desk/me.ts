/** What the desk knows of its user. */
import * as v from 'valibot';
import { STAFF_ROLES } from './act.ts';

export const DeskMeResponse = v.object({
  username: v.string(),
  role: v.picklist(STAFF_ROLES),
  /** Whether the desk is open: a passkey of the last 12 hours, and use in the last 30 minutes. */
  isOpen: v.boolean(),
  /** When the desk closes if it is not used until then; null while it is closed. */
  closesAt: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
});
export type DeskMeResponse = v.InferOutput<typeof DeskMeResponse>;
