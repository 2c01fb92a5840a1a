import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';

/** The `SignedInUser` of a request that passed AuthGuard. */
export const CurrentUser = createParamDecorator((_data: unknown, context: ExecutionContext): SignedInUser => {
  const { signedInUser } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!signedInUser) throw new Error('CurrentUser needs AuthGuard on its route');
  return signedInUser;
});
