/** Firms: a space of records that up to five accounts share. Calls of `/api/firms`. Instants in UTC. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { emailField, lineOfText, requiredText, UNKNOWN_FIELD_MESSAGE } from '../fields.ts';
import { MAX_FIRM_ADDRESS_CHARACTERS, MAX_FIRM_CHARACTERS, optionalGstin } from '../orders/order.ts';
import { PLAN_IDS } from '../orders/plans.ts';

export const FIRM_ROLES = ['owner', 'member'] as const;
export type FirmRole = (typeof FIRM_ROLES)[number];

const role = v.picklist(FIRM_ROLES, 'The role is owner or member');

/** An address in a name would turn an invitation into an advertisement. */
const isWithoutAddress = (text: string) => !/:\/\/|www\./i.test(text);

const name = v.pipe(
  requiredText(() => t`Name of the firm is required`, MAX_FIRM_CHARACTERS).wrapped,
  v.check(isWithoutAddress, () => t`A name has no web address`),
);

const firmFields = {
  name: v.optional(name, ''),
  /** For invoices. */
  address: v.optional(v.pipe(v.string(), v.trim(), lineOfText(MAX_FIRM_ADDRESS_CHARACTERS)), ''),
  gstin: optionalGstin,
};

/** Body of `POST /api/firms` and `PUT /api/firms/{id}`. */
export const FirmRequest = v.strictObject(firmFields, UNKNOWN_FIELD_MESSAGE);
export type FirmRequest = v.InferOutput<typeof FirmRequest>;

/** Body of `POST /api/firms/{id}/invitations`. An invitation for an address replaces the earlier one. */
export const FirmInvitationRequest = v.strictObject({ email: emailField, role }, UNKNOWN_FIELD_MESSAGE);
export type FirmInvitationRequest = v.InferOutput<typeof FirmInvitationRequest>;

/** Body of `POST /api/firms/invitations/read` and `…/accept`: the token of the mailed link. */
export const InvitationTokenRequest = v.strictObject(
  { token: v.pipe(v.string('token must be text'), v.maxLength(100, 'token is too long')) },
  UNKNOWN_FIELD_MESSAGE,
);
export type InvitationTokenRequest = v.InferOutput<typeof InvitationTokenRequest>;

/** Answer of `POST /api/firms/invitations/read`: what the signed-in user is invited to. */
export const FirmInvitation = v.object({ firm: v.string(), invitedBy: v.string(), role, expiresAt: v.string() });
export type FirmInvitation = v.InferOutput<typeof FirmInvitation>;

/** Body of `PUT /api/firms/{id}/members/{userId}`. */
export const FirmRoleRequest = v.strictObject({ role }, UNKNOWN_FIELD_MESSAGE);
export type FirmRoleRequest = v.InferOutput<typeof FirmRoleRequest>;

/** A firm of the signed-in user. */
export const Firm = v.object({
  id: v.string(),
  name: v.string(),
  address: v.string(),
  gstin: v.string(),
  /** The user's own. */
  role,
  /** The present ones, in the order in which they joined. */
  members: v.array(v.object({ id: v.string(), name: v.string(), role, joinedAt: v.string() })),
  /** Those who have left, for the names on their comments. */
  formerMembers: v.array(v.object({ id: v.string(), name: v.string() })),
  /** Open invitations. Empty for members who are not owners. */
  invitations: v.array(v.object({ id: v.string(), email: v.string(), role, expiresAt: v.string() })),
  /** End of the firm's plan, exclusive; null without a plan, and where nothing is sold. */
  planEndsAt: v.nullable(v.string()),
  /** Records can be changed: the firm has a plan, or nothing is sold. Without it they can be read and exported. */
  canWrite: v.boolean(),
});
export type Firm = v.InferOutput<typeof Firm>;

/** Answer of `GET /api/firms`, the firm that the user joined first comes first. */
export const FirmListResponse = v.object({ firms: v.array(Firm) });
export type FirmListResponse = v.InferOutput<typeof FirmListResponse>;

/** What is credited for a plan of the buyer that the firm's plan ends. */
export const PlanCredit = v.object({ planId: v.picklist(PLAN_IDS), unusedDays: v.number(), paise: v.number() });
export type PlanCredit = v.InferOutput<typeof PlanCredit>;

/** Answer of `GET /api/firms/{id}/plan-offer`: the price of a year for the firm, line by line. */
export const FirmPlanOffer = v.object({
  pricePaise: v.number(),
  /** The buyer's own plans that end when the firm's begins. Empty when the firm has a plan: a year is then added. */
  credits: v.array(PlanCredit),
  totalPaise: v.number(),
  /** Name, address and GSTIN on the invoice. */
  invoice: v.object({ firm: v.string(), address: v.string(), gstin: v.string() }),
});
export type FirmPlanOffer = v.InferOutput<typeof FirmPlanOffer>;
