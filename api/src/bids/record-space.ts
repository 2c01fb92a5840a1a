import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Whose records a call names: those of the session's user, or of a firm. The membership is not checked yet. */
export interface RecordSpace {
  userId: string;
  firmId: string | undefined;
}

/** The space of a request that passed AuthGuard: query `firm`, else the user's own. */
export const SpaceOfRequest = createParamDecorator((_data: unknown, context: ExecutionContext): RecordSpace => {
  const { signedInUser, query } = context
    .switchToHttp()
    .getRequest<FastifyRequest<{ Querystring: { firm?: unknown } }>>();
  if (!signedInUser) throw new Error('SpaceOfRequest needs AuthGuard on its route');
  // A repeated parameter is a list; it names no firm.
  const firmId = query.firm === undefined ? undefined : String(query.firm);
  return { userId: signedInUser.id, firmId };
});

/** The parameter of `SpaceOfRequest` in OpenAPI. */
export const FIRM_QUERY = {
  name: 'firm',
  required: false,
  description: 'A firm of the user, whose records are meant; the own ones without it',
} as const;
