/** The audit log as the desk and the commands show it. */
import * as v from 'valibot';
import { STAFF_ROLES } from './act.ts';

/** An audit event. Its details have addresses and numbers only masked. */
export const ListedAuditEvent = v.object({
  id: v.string(),
  /** In UTC. */
  at: v.string(),
  action: v.string(),
  /** The account that acted; null for a command, a job or a visitor. */
  actorId: v.nullable(v.string()),
  actorName: v.nullable(v.string()),
  subject: v.string(),
  detail: v.record(v.string(), v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])),
  requestId: v.nullable(v.string()),
});
export type ListedAuditEvent = v.InferOutput<typeof ListedAuditEvent>;

const text = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), '');
const day = v.optional(v.union([v.literal(''), v.pipe(v.string(), v.isoDate())]), '');

/** The actor of all commands on the server. */
export const COMMAND_ACTOR = 'command';

/** Filter of the audit log; an empty field filters nothing. */
export const AuditLogQuery = v.object({
  /** Id of an account, or `command`. */
  actor: text,
  subject: text,
  /** An action like `account.erased`, or all of an object: `account`. */
  action: text,
  /** Indian days, both inclusive: '2026-11-10'. */
  from: day,
  to: day,
  /** Only events older than this id: the next page. */
  before: v.optional(v.union([v.literal(''), v.pipe(v.string(), v.regex(/^\d{1,18}$/))]), ''),
});
export type AuditLogQuery = v.InferOutput<typeof AuditLogQuery>;

/** A page of events, newest first; `before` of the next page, null on the last one. */
export const AuditLogResponse = v.object({ events: v.array(ListedAuditEvent), next: v.nullable(v.string()) });
export type AuditLogResponse = v.InferOutput<typeof AuditLogResponse>;

/** Answer of `GET /api/desk/staff`, owners first. Roles are granted by command on the server only. */
export const StaffListResponse = v.object({
  rows: v.array(
    v.object({
      id: v.string(),
      username: v.string(),
      role: v.picklist(STAFF_ROLES),
      grantedAt: v.string(),
      /** Name of the server's user who gave the command. */
      grantedBy: v.string(),
    }),
  ),
});
export type StaffListResponse = v.InferOutput<typeof StaffListResponse>;
