/** What the commands of operators' acts have in common. */
import { Reason } from '@nivida/contract/desk/act';
import { safeParse } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { InvalidOptionsError } from '../../base/config.ts';

/** Options of every act. */
export const ACT_OPTIONS = {
  reason: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
} as const;

/** The `OperatorAct` of a command. Throws InvalidOptionsError without a reason of 3 to 300 characters. */
export function commandAct(command: string, reason: string): OperatorAct & { actorId: null } {
  const { success, output } = safeParse(Reason, reason);
  if (!success)
    throw new InvalidOptionsError(`${command} needs a --reason of 3 to 300 characters: it stays in the audit log`);
  return { actorId: null, reason: output };
}
