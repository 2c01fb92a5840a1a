import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { languages } from '@nivida/contract/languages';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from './sessions/sessions.service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by AuthGuard. */
    signedInUser?: SignedInUser;
  }
}

/**
 * Admits requests with the bearer token of a running session; answers 401 to all others. The language that the
 * user has chosen on the device, named in every call of the app, becomes that of the account. Merely reading a page in
 * another language changes nothing.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization, 'chosen-language': chosen } = request.headers;
    const language = languages().find((each) => each === chosen);
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
