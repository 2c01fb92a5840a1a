/** The operator's command for the audit log. */
import { parseArgs } from 'node:util';
import { AuditLogQuery, COMMAND_ACTOR } from '@nivida/contract/desk/audit-log';
import { formatDateTime } from '@nivida/contract/format';
import { isDay } from '@nivida/contract/time';
import { safeParse } from 'valibot';
import { InvalidOptionsError } from '../../base/config.ts';
import { AuditLogService } from '../../desk/audit-log/audit-log.service.ts';
import { PeopleService } from '../../desk/people/people.service.ts';
import type { ServiceContext } from '../service-command.ts';

/** Runs `audit ARGS`; returns the text for stdout. Throws InvalidOptionsError, and AppError for an unknown actor. */
export async function runAudit(args: string[], { find }: ServiceContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      actor: { type: 'string', default: '' },
      subject: { type: 'string', default: '' },
      action: { type: 'string', default: '' },
      from: { type: 'string', default: '' },
      to: { type: 'string', default: '' },
      before: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  });
  if (positionals.join(' ') !== 'list') throw new InvalidOptionsError('audit: list');
  const { json, ...given } = values;
  for (const name of ['from', 'to'] as const)
    if (given[name] && !isDay(given[name])) throw new InvalidOptionsError(`--${name} must be a day: YYYY-MM-DD`);
  const people = await find(PeopleService);
  const isPerson = given.actor !== '' && given.actor !== COMMAND_ACTOR;
  const actor = isPerson ? await people.idOf(given.actor) : given.actor;
  const { success, output } = safeParse(AuditLogQuery, { ...given, actor });
  if (!success) throw new InvalidOptionsError('audit list: --before takes the id of an event');
  const { events, next } = await (await find(AuditLogService)).list(output);
  if (json) return `${JSON.stringify({ events, next })}\n`;
  const lines = events.map(
    ({ id, at, action, actorId, actorName, subject, detail }) =>
      `${id}\t${formatDateTime(at)}\t${action}\t${subject}\tby ${actorName ?? actorId ?? '-'}\t${JSON.stringify(detail)}`,
  );
  const more = next === null ? `${events.length} events` : `${events.length} events, more with --before ${next}`;
  return `${[...lines, more].join('\n')}\n`;
}
