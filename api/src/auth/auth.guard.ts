import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from './sessions/sessions.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by AuthGuard. */
    signedInUser?: SignedInUser;
  }
}

/** Admits requests with the bearer token of a running session; answers 401 to all others. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.signedInUser = await this.sessions.authenticate(request.headers.authorization);
    return true;
  }
}

/** The `SignedInUser` of a request that passed AuthGuard. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): SignedInUser => {
  const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!signedInUser) throw new Error('CurrentUser needs AuthGuard on its route');
  return signedInUser;
});
