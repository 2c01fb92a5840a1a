import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AuditDetail } from '../../audit/audit.entity.ts';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { requestOrigin } from '../../http/security/client-address.ts';
import { AuthGuard } from '../auth.guard.ts';
import { SecurityEventsService } from '../security-events.service.ts';
import { AccessTokens } from './access-token.ts';
import { SessionsService } from './sessions.service.ts';

/** AuthGuard of the refresh call: a refused token may be a stolen one, so the refusal is a security event. */
@Injectable()
export class RefreshGuard extends AuthGuard {
  constructor(
    sessions: SessionsService,
    private readonly tokens: AccessTokens,
    private readonly events: SecurityEventsService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    super(sessions);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    try {
      return await super.canActivate(context);
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') await this.record(context);
      throw error;
    }
  }

  private async record(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const token = request.headers.authorization?.split(' ').at(-1) ?? '';
    const claims = await this.tokens.read(token, this.now());
    const subject = claims?.sub ?? 'unknown';
    const detail: AuditDetail = claims ? { session: claims.sid } : { hasToken: token !== '' };
    await this.events.record(
      { action: 'session.refresh-refused', subject, detail },
      requestOrigin(request, this.config.production),
    );
  }
}
