import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { signInRequired } from '../../base/app-error.ts';
import { SendTokensService } from './send-tokens.service.ts';
import { SessionsService, type SignedInUser } from './sessions.service.ts';

/** Admits a user by the session or by a one-time token. It deletes the token. */
@Injectable()
export class DeviceChangesGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionsService,
    protected readonly tokens: SendTokensService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { authorization } = request.headers;
    const token = /^Once +(.*)$/i.exec(authorization ?? '')?.[1];
    const user = token === undefined ? await this.sessions.authenticate(authorization) : await this.userOf(token);
    if (!user) throw signInRequired();
    request.signedInUser = user;
    return true;
  }

  protected userOf(token: string): Promise<SignedInUser | undefined> {
    return this.tokens.consume(token);
  }
}

/** Like `DeviceChangesGuard` for the parts of a file that belongs to a change. The change, sent last, uses the token up. */
@Injectable()
export class DeviceUploadGuard extends DeviceChangesGuard {
  protected override userOf(token: string): Promise<SignedInUser | undefined> {
    return this.tokens.find(token);
  }
}
