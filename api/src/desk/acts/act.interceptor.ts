import { createHash } from 'node:crypto';
import { t } from '@lingui/core/macro';
import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Inject,
  Injectable,
  type NestInterceptor,
  Post,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import { ACT_KEY_HEADER, ActRequest } from '@nivida/contract/desk/act';
import type { FastifyRequest } from 'fastify';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { DataSource } from 'typeorm';
import { safeParse, UUID_REGEX } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import { BEGIN_ACT, FINISH_ACT, FORGET_ACT, STORED_ACT } from './acts.sql.ts';

/**
 * Does an act once per key of the caller: a repeated call gets the stored answer. An act that failed may be sent again with
 * its key. 400 without a key, 409 while the first call runs or when its process ended, or for a key of another act.
 */
@Injectable()
export class ActInterceptor implements NestInterceptor {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reflector: Reflector,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const actor = request.staffMember?.id;
    if (actor === undefined) throw new Error('DeskAct needs StaffGuard on its route');
    const key = request.headers[ACT_KEY_HEADER];
    if (typeof key !== 'string' || !UUID_REGEX.test(key))
      throw new AppError('INVALID', () => t`This act came without its key. Reload the page and try again.`);
    const digest = createHash('sha256')
      .update(JSON.stringify([request.method, request.url, request.body ?? null]))
      .digest('hex');
    const begun = await this.dataSource.query(BEGIN_ACT, [actor, key, digest, this.now()]);
    if (begun.length === 0) return of(await this.storedAnswer(actor, key, digest));
    try {
      const answer = await lastValueFrom(next.handle());
      if (this.reflector.get<boolean>(OPENS_DATA, context.getHandler()))
        await this.dataSource.query(FORGET_ACT, [actor, key]);
      else await this.dataSource.query(FINISH_ACT, [actor, key, JSON.stringify(answer ?? null)]);
      return of(answer);
    } catch (error) {
      await this.dataSource.query(FORGET_ACT, [actor, key]);
      throw error;
    }
  }

  private async storedAnswer(actor: string, key: string, digest: string): Promise<unknown> {
    const rows: { digest: string; answer: unknown }[] = await this.dataSource.query(STORED_ACT, [actor, key]);
    const [row] = rows;
    if (row?.digest === digest && row.answer !== null) return row.answer;
    if (row && row.digest !== digest)
      throw new AppError('CONFLICT', () => t`This key belongs to another act. Reload the page and try again.`);
    throw new AppError('CONFLICT', () => t`This act has begun already. Look at the result before you repeat it.`);
  }
}

const OPENS_DATA = 'opens-data';

/** For an act that shows personal data in full: its answer is not stored, and a repeated call is an act of its own. */
export const OpensData = () => SetMetadata(OPENS_DATA, true);

/** A POST route of the desk that changes something. Its body has a reason; its caller sends an idempotency key. */
export const DeskAct = (path: string) =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    UseInterceptors(ActInterceptor),
    ApiHeader({ name: ACT_KEY_HEADER, required: true }),
  );

/** The `OperatorAct` of a call of the desk: its member of staff, the reason of its body, the id of the call. */
export const CurrentAct = createParamDecorator((_data: unknown, context: ExecutionContext): OperatorAct => {
  const { staffMember, body, id } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!staffMember) throw new Error('CurrentAct needs StaffGuard on its route');
  // The schema of the body is checked after this parameter.
  const { success, output } = safeParse(ActRequest, body);
  if (!success) throw new AppError('INVALID', () => t`Give a reason of 3 to 300 characters`);
  return { actorId: staffMember.id, reason: output.reason, requestId: id };
});
