import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SessionsService, type SignedInUser } from '../../auth/sessions/sessions.service.ts';

/** The caller: a user, a device with its secret, or a visitor. */
export interface PushCaller {
  user?: SignedInUser;
  secret?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by PushCallerGuard. */
    pushCaller?: PushCaller;
  }
}

/** Accepts sessions, device secrets and visitors. An ended session gets 401. */
@Injectable()
export class PushCallerGuard implements CanActivate {
  constructor(private readonly sessions: SessionsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization } = request.headers;
    const secret = /^Device +(\S{1,100})$/i.exec(authorization ?? '')?.[1];
    if (secret !== undefined) request.pushCaller = { secret };
    else if (authorization === undefined) request.pushCaller = {};
    else {
      request.signedInUser = await this.sessions.authenticate(authorization);
      request.pushCaller = { user: request.signedInUser };
    }
    return true;
  }
}

/** The `PushCaller` of a request that passed PushCallerGuard. */
export const CurrentPushCaller = createParamDecorator((_data: unknown, context: ExecutionContext): PushCaller => {
  const { pushCaller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!pushCaller) throw new Error('CurrentPushCaller needs PushCallerGuard on its route');
  return pushCaller;
});
