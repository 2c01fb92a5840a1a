import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SessionsService } from '../auth/sessions/sessions.service.ts';
import { signInRequired } from '../base/app-error.ts';
import { SendTokensService } from './send-tokens.service.ts';

/** Admits a user by the session or by a one-time token. It deletes the token. */
@Injectable()
export class DeviceChangesGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    private readonly tokens: SendTokensService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization } = request.headers;
    const token = /^Once +(.*)$/i.exec(authorization ?? '')?.[1];
    const user =
      token === undefined ? await this.sessions.authenticate(authorization) : await this.tokens.consume(token);
    if (!user) throw signInRequired();
    request.signedInUser = user;
    return true;
  }
}
