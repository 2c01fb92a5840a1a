import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_SECONDS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import type { AuditDetail } from '../audit/audit.entity.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { RateLimitWindow } from '../http/limits/rate-limits.ts';
import type { RequestOrigin } from '../http/security/client-address.ts';

/** Maximum rows for one action from one network address: an attacker must not fill the table. */
const ROW_LIMITS: RateLimitWindow[] = [{ max: 40, perSeconds: 15 * MINUTE_SECONDS }];

/** A refusal that may be part of an attack. */
export interface SecurityEvent {
  action:
    | 'sign-in.failed'
    | 'sign-in.locked'
    | 'sign-in.address-locked'
    | 'sign-in.passkey-refused'
    | 'password-check.failed'
    | 'code.refused'
    | 'reset.refused'
    | 'session.refresh-refused'
    | 'session.role-refused';
  /** Id of the account, or the masked mobile number or e-mail when the account is unknown. */
  subject: string;
  detail?: AuditDetail;
  /** The signed-in user who was refused. */
  actorId?: string;
}

/** Writes refusals into the audit table, with the network address masked. */
@Injectable()
export class SecurityEventsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
    private readonly limits: RateLimitsService,
  ) {}

  /** Writes one row, at most 40 of an action from one address in 15 minutes. */
  async record(
    { action, subject, detail = {}, actorId }: SecurityEvent,
    { address, ip, requestId }: RequestOrigin,
  ): Promise<void> {
    if (address && (await this.limits.count(`event ${action}`, address.key, ROW_LIMITS)) > 0) return;
    const event = {
      action,
      subject,
      actorId: actorId ?? null,
      detail: { ...detail, address: maskAddress(ip) },
      requestId,
    };
    await recordAuditEvent(this.dataSource.manager, event, this.now());
  }
}

/** '203.0.113.7' → '203.0.113.x'; '2001:db8:1:2::7' → '2001:db8:1::x'. */
export function maskAddress(ip: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+(?::\d+)?$/.exec(ip);
  if (v4) return `${v4[1]}.x`;
  const [head = ''] = ip.replace(/^\[/, '').split('::', 1);
  return `${head.split(':').slice(0, 3).join(':')}::x`;
}

/** '+919812345678' → '******5678'. */
export const maskMobile = (mobileNo: string): string => `******${mobileNo.slice(-4)}`;

/** 'asha@works.example' → 'a***@works.example'. */
export const maskEmail = (email: string): string => `${email.charAt(0)}***@${email.slice(email.lastIndexOf('@') + 1)}`;
