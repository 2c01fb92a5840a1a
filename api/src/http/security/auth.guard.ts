import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from '../../auth/sessions/sessions.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by AuthGuard. */
    signedInUser?: SignedInUser;
  }
}

/** Lets signed-in users through, by the bearer token of their session; answers 401 to everybody else. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(@Inject(SessionsService) private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.signedInUser = await this.sessions.authenticate(request.headers.authorization);
    return true;
  }
}
