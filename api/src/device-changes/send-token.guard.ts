import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../base/app-error.ts';
import { SendTokensService } from './send-tokens.service.ts';

/** Admits a device by a one-time token and deletes the token. Access tokens are refused. */
@Injectable()
export class SendTokenGuard implements CanActivate {
  constructor(private readonly tokens: SendTokensService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = /^Once +([\w-]{43})$/i.exec(request.headers.authorization ?? '')?.[1];
    const user = token === undefined ? undefined : await this.tokens.consume(token);
    if (!user) throw new AppError('UNAUTHENTICATED', 'Please sign in');
    request.signedInUser = user;
    return true;
  }
}
