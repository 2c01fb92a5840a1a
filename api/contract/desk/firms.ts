/** Firms as the desk shows them. Instants in UTC. */
import * as v from 'valibot';
import { FIRM_ROLES } from '../firms/firms.ts';
import { ListedAuditEvent } from './audit-log.ts';
import { GrantedPlan, NewestOrder } from './people.ts';

/** A firm in a list. */
export const ListedFirm = v.object({
  id: v.string(),
  name: v.string(),
  /** Name of the owner who joined first; '' for a firm whose owners' accounts are erased. */
  owner: v.string(),
  /** Present members. */
  memberCount: v.number(),
  /** Exclusive; null without a plan. */
  planEndsAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type ListedFirm = v.InferOutput<typeof ListedFirm>;

/**
 * Query of `GET /api/desk/firms`: the name or id of a firm, or what finds a member in `GET /api/desk/people`, each complete.
 * Without it: the newest firms.
 */
export const DeskFirmsQuery = v.object({ find: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(254)), '') });
export type DeskFirmsQuery = v.InferOutput<typeof DeskFirmsQuery>;

/** At most 50, the newest first. */
export const DeskFirmsResponse = v.object({ rows: v.array(ListedFirm) });
export type DeskFirmsResponse = v.InferOutput<typeof DeskFirmsResponse>;

/** Answer of `GET /api/desk/firms/{id}`. The firm's records are not in it. */
export const DeskFirmResponse = v.object({
  ...ListedFirm.entries,
  /** For invoices. */
  address: v.string(),
  gstin: v.string(),
  /** In the order in which they joined. `leftAt` of a present one is null. */
  members: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      role: v.picklist(FIRM_ROLES),
      joinedAt: v.string(),
      leftAt: v.nullable(v.string()),
    }),
  ),
  /** Open ones; their addresses are masked. */
  invitations: v.array(v.object({ email: v.string(), role: v.picklist(FIRM_ROLES), expiresAt: v.string() })),
  /** All plans, the newest first. */
  plans: v.array(GrantedPlan),
  /** The newest five. */
  orders: v.array(NewestOrder),
  events: v.array(ListedAuditEvent),
});
export type DeskFirmResponse = v.InferOutput<typeof DeskFirmResponse>;
