import { type CanActivate, type ExecutionContext, Inject, mixin, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimitsService, type RateLimitWindow } from './rate-limits.service.ts';

/** A guard that counts a controller's calls by account, under one name; it stands behind AuthGuard. */
export function accountLimit(name: string, ...windows: RateLimitWindow[]): Type<CanActivate> {
  class AccountLimitGuard implements CanActivate {
    constructor(@Inject(RateLimitsService) private readonly limits: RateLimitsService) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
      if (!signedInUser) throw new Error('accountLimit needs AuthGuard before it');
      await this.limits.consume(name, signedInUser.id, windows);
      return true;
    }
  }
  return mixin(AccountLimitGuard);
}
