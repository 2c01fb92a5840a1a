import { type CanActivate, type ExecutionContext, Injectable, mixin, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimitsService } from './rate-limits.service.ts';
import type { AccountLimitName } from './rate-limits.ts';

/** A guard that limits the calls of an account. AuthGuard must run before it. */
export function accountLimit(name: AccountLimitName): Type<CanActivate> {
  @Injectable()
  class AccountLimitGuard implements CanActivate {
    constructor(private readonly limits: RateLimitsService) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
      if (!signedInUser) throw new Error('accountLimit needs AuthGuard before it');
      await this.limits.consume(name, { account: signedInUser.id });
      return true;
    }
  }
  return mixin(AccountLimitGuard);
}
