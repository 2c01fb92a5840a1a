import { t } from '@lingui/core/macro';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { UUID_REGEX } from 'valibot';
import { AppError } from '../base/app-error.ts';

/** The id in the address of a thread or an attachment, in lower case. NOT_FOUND for another text. */
export const ThreadId = createParamDecorator((name: string | undefined, context: ExecutionContext): string => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest>();
  const id = (params as Record<string, string>)[name ?? 'id'] ?? '';
  if (!UUID_REGEX.test(id)) throw new AppError('NOT_FOUND', () => t`This conversation is not here any more`);
  return id.toLowerCase();
});
