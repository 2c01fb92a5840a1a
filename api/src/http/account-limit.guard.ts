import { type CanActivate, type ExecutionContext, Inject, mixin, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LimitsService, type Window } from './limits.service.ts';

/** A guard that counts a controller's calls by account, under one name; it stands behind AuthGuard. */
export function accountLimit(name: string, ...windows: Window[]): Type<CanActivate> {
  class AccountLimitGuard implements CanActivate {
    constructor(@Inject(LimitsService) private readonly limits: LimitsService) {}

    async canActivate(context: ExecutionContext): Promise<boolean> {
      const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
      if (!signedInUser) throw new Error('accountLimit needs AuthGuard before it');
      await this.limits.take(name, signedInUser.id, windows);
      return true;
    }
  }
  return mixin(AccountLimitGuard);
}
