import { Controller, Get, Header, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { Manifest, type SyncReset } from '@nivida/contract/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { Encoding } from './bodies.ts';
import { SyncService } from './sync.service.ts';

const ENCODINGS: Encoding[] = ['br', 'gzip', 'identity'];
/** The bytes of a hash never change; any CDN may keep them. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Bodies are sent as they lie in memory: compressed already, with a tag of their own, past Nest's way of answering. */
@Controller('api/sync')
export class SyncController {
  constructor(@Inject(SyncService) private readonly sync: SyncService) {}

  @Get('segments/:hash')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object' } })
  async segment(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const encoding = encodingOf(request);
    const body = await this.sync.segment(hash, encoding);
    await send(reply, body, encoding, hash, FOR_EVER);
  }

  @Get(':scope')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: Manifest })
  manifest(@Param('scope') scope: string): Promise<Manifest> {
    return this.sync.manifest(scope);
  }

  @Get(':scope/delta')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object' } })
  async delta(
    @Param('scope') scope: string,
    @Query('cursor') cursor: unknown,
    @Query('details') details: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const encoding = encodingOf(request);
    const delta = await this.sync.delta(scope, typeof cursor === 'string' ? cursor : '', details === '1', encoding);
    if (delta === null) await reply.code(204).header('Cache-Control', 'no-cache').send();
    else if ('reset' in delta) await sendReset(reply, request.id, delta.reset);
    else await send(reply, delta.body, encoding, delta.tag, 'no-cache');
  }
}

function send(reply: FastifyReply, body: Buffer, encoding: Encoding, tag: string, cacheControl: string) {
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return reply
    .headers({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': cacheControl,
      // Weak: the bytes differ by encoding.
      ETag: `W/"${tag}"`,
      Vary: 'Accept-Encoding',
    })
    .send(body);
}

function sendReset(reply: FastifyReply, requestId: string, epoch: string) {
  const body: SyncReset = {
    code: 'CONFLICT',
    message: 'This copy is too old to be brought up to date',
    requestId,
    reset: true,
    epoch,
  };
  return reply.code(409).header('Cache-Control', 'no-store').send(body);
}

/** Brotli for whoever takes it, whatever else they would rather have: it lies ready. */
function encodingOf(request: FastifyRequest): Encoding {
  const accepted = new Negotiator(request).encodings(ENCODINGS);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}
