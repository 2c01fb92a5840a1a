import { type CanActivate, type ExecutionContext, Injectable, mixin, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimitsService, type RateLimitWindow } from './rate-limits.service.ts';

/** A guard that limits the calls of an account, counted under `name`. It needs AuthGuard before it. */
export function accountLimit(name: string, ...windows: RateLimitWindow[]): Type<CanActivate> {
  @Injectable()
  class AccountLimitGuard implements CanActivate {
    constructor(private readonly limits: RateLimitsService) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
      if (!signedInUser) throw new Error('accountLimit needs AuthGuard before it');
      await this.limits.consume(name, signedInUser.id, windows);
      return true;
    }
  }
  return mixin(AccountLimitGuard);
}
