/** The operator's command for the staff of the desk. */
import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { STAFF_ROLES } from '@nivida/contract/desk/act';
import { formatDateTime } from '@nivida/contract/format';
import { StaffService } from '../../auth/staff/staff.service.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import type { ServiceContext } from '../service-command.ts';
import { ACT_OPTIONS, commandAct } from './act-options.ts';

/** Runs `staff ARGS`: add, remove or list. Returns the text for stdout: the staff afterwards. Throws InvalidOptionsError and AppError. */
export async function runStaff(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { ...ACT_OPTIONS, role: { type: 'string' } },
  });
  const [command, mobile, ...more] = positionals;
  const staff = await find(StaffService);
  if (command === 'add' || command === 'remove') {
    if (mobile === undefined || more.length > 0) throw new InvalidOptionsError(`${command}: name one mobile number`);
    const role = STAFF_ROLES.find((each) => each === values.role);
    if (command === 'add' && !role) throw new InvalidOptionsError(`add needs --role ${STAFF_ROLES.join('|')}`);
    const act = commandAct(command, values.reason || 'By command on the server');
    if (command === 'add' && role) await staff.add(mobile, role, userInfo().username, act);
    else await staff.remove(mobile, userInfo().username, act);
  } else if (command !== 'list' || mobile !== undefined) throw new InvalidOptionsError('staff: add, remove or list');
  const members = await staff.list();
  if (values.json) return `${JSON.stringify(members)}\n`;
  const lines = members.map(
    ({ role, username, grantedAt, grantedBy }) =>
      `${role}\t${username}\tsince ${formatDateTime(grantedAt)}, by ${grantedBy}`,
  );
  return `${[...lines, `${members.length} in the staff`].join('\n')}\n`;
}
