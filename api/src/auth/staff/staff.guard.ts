import { t } from '@lingui/core/macro';
import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { hasRole, type StaffRole, UNATTENDED_HEADER } from '@nivida/contract/desk/act';
import { HOUR_MS, MINUTE_MS } from '@nivida/contract/time';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { AppError, nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { RateLimitWindow } from '../../http/limits/rate-limits.ts';
import { requestOrigin } from '../../http/security/client-address.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { SessionsService, type SignedInUser } from '../sessions/sessions.service.ts';
import { NOTE_DESK_USE, STAFF_SESSION } from './staff.sql.ts';

/** How long a passkey opens the desk. */
export const DESK_SESSION_MS = 12 * HOUR_MS;
/** The desk closes when it is not used for this time. */
export const DESK_IDLE_MS = 30 * MINUTE_MS;
/** Refunds and erasures need a passkey that was shown just now. */
export const FRESH_PASSKEY_MS = 5 * MINUTE_MS;

/** The member of staff of a call. */
export interface StaffMember extends SignedInUser {
  role: StaffRole;
  username: string;
  /** Whether a passkey has opened the desk in this session. */
  isDeskOpen: boolean;
  /** When it closes unless it is used; null while it is closed. */
  deskClosesAt: Date | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by StaffGuard. */
    staffMember?: StaffMember;
  }
}

const ONCE_AN_HOUR: RateLimitWindow[] = [{ max: 1, perSeconds: HOUR_MS / 1_000 }];

const NEEDED = 'staff-needed';
interface Needed {
  role: StaffRole;
  passkey: 'desk' | 'fresh' | 'none';
}

/**
 * The least role that may call a route of the desk. Without it no one may. `passkey`: 'desk' is one of the last 12 hours in
 * a desk that was used in the last 30 minutes, 'fresh' one of the last 5 minutes.
 */
export const StaffOnly = (role: StaffRole, passkey: Needed['passkey'] = 'desk') =>
  SetMetadata(NEEDED, { role, passkey } satisfies Needed);

/**
 * Admits staff to the desk. 401 without a session; 404 for users who are not staff, as if the address did not exist; 403
 * for another role; PASSKEY_NEEDED without a recent passkey. The role is read for every call, so its end takes effect at once.
 */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    private readonly reflector: Reflector,
    private readonly events: SecurityEventsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    http.getResponse<FastifyReply>().headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' });
    const needed = this.reflector.getAllAndOverride<Needed | undefined>(NEEDED, [
      context.getHandler(),
      context.getClass(),
    ]);
    const user = await this.sessions.authenticate(request.headers.authorization);
    request.signedInUser = user;
    const rows: StaffSession[] = await this.dataSource.query(STAFF_SESSION, [user.id, user.sessionId]);
    const [row] = rows;
    await this.limits.consume('desk', { account: user.id });
    if (needed && (!row || !hasRole(row.role, needed.role)))
      await this.recordRefusal(request, user, { needed, role: row?.role ?? null });
    if (!row || !needed) throw nothingHere();
    if (!hasRole(row.role, needed.role))
      throw new AppError('FORBIDDEN', () => t`Your role does not allow this. Ask an owner of this installation.`);
    const now = this.now();
    const deskClosesAt = closingOf(row, now);
    const isDeskOpen = deskClosesAt !== null;
    if (needed.passkey !== 'none') {
      if (!isDeskOpen) throw new AppError('PASSKEY_NEEDED', () => t`Show your passkey to open the desk`);
      if (needed.passkey === 'fresh' && ageOf(row.passkeyAt, now) > FRESH_PASSKEY_MS)
        throw new AppError('PASSKEY_NEEDED', () => t`Show your passkey again for this`);
      if (request.headers[UNATTENDED_HEADER] === undefined)
        await this.dataSource.query(NOTE_DESK_USE, [user.sessionId, now]);
    }
    request.staffMember = { ...user, role: row.role, username: row.username, isDeskOpen, deskClosesAt };
    return true;
  }

  /** Records a call above the role, once an hour for a user and a route. What anyone may ask of the desk is not recorded. */
  private async recordRefusal(
    request: FastifyRequest,
    { id }: SignedInUser,
    { needed, role }: { needed: Needed; role: StaffRole | null },
  ): Promise<void> {
    if (role === null && needed.passkey === 'none') return;
    const call = `${request.method} ${request.routeOptions.url}`;
    if ((await this.limits.count('role-refused', `${id} ${call}`, ONCE_AN_HOUR)) > 0) return;
    const detail = { call, needed: needed.role, role: role ?? 'none' };
    const event = { action: 'session.role-refused', actorId: id, subject: id, detail } as const;
    await this.events.record(event, requestOrigin(request, this.config.production));
  }
}

interface StaffSession {
  role: StaffRole;
  username: string;
  passkeyAt: Date | null;
  deskUsedAt: Date | null;
}

/** Milliseconds since an instant. One that never was, or that lies in the future of a wrong clock, is infinitely old. */
function ageOf(at: Date | null, now: Date): number {
  return at === null || at > latestPlausibleInstant(now) ? Number.POSITIVE_INFINITY : now.getTime() - at.getTime();
}

/** When an open desk closes: 12 hours after the passkey, 30 minutes after the last use. Null for a closed one. */
function closingOf({ passkeyAt, deskUsedAt }: StaffSession, now: Date): Date | null {
  const age = ageOf(passkeyAt, now);
  const left = Math.min(DESK_SESSION_MS - age, DESK_IDLE_MS - Math.min(age, ageOf(deskUsedAt, now)));
  return left < 0 ? null : new Date(now.getTime() + left);
}

/** The `StaffMember` of a call that passed StaffGuard. */
export const CurrentStaff = createParamDecorator((_data: unknown, context: ExecutionContext): StaffMember => {
  const { staffMember } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!staffMember) throw new Error('CurrentStaff needs StaffGuard on its route');
  return staffMember;
});
