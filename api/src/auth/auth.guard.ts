import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { languageOfRequest } from '../http/routing/request-language.ts';
import { SessionsService, type SignedInUser } from './sessions/sessions.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by AuthGuard. */
    signedInUser?: SignedInUser;
  }
}

/**
 * Admits requests with the bearer token of a running session; answers 401 to all others. The account's language follows that
 * of the app, which names it in every call.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization, 'accept-language': accepted } = request.headers;
    const language = accepted === undefined ? undefined : languageOfRequest(request);
    request.signedInUser = await this.sessions.authenticate(authorization, language);
    return true;
  }
}

/** The `SignedInUser` of a request that passed AuthGuard. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): SignedInUser => {
  const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!signedInUser) throw new Error('CurrentUser needs AuthGuard on its route');
  return signedInUser;
});
