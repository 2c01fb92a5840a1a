import { Controller, Get, Header, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { ManifestResponse, type SyncResetResponse } from '@nivida/contract/sync/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { ContentEncoding } from './body-cache.ts';
import { SyncService } from './sync.service.ts';

const ENCODINGS: ContentEncoding[] = ['br', 'gzip', 'identity'];
/** The bytes of a hash never change; any CDN may keep them. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

/** Bodies are already compressed and have their own tags, so they are sent past Nest's serializer. */
@Controller('api/sync')
export class SyncController {
  constructor(@Inject(SyncService) private readonly sync: SyncService) {}

  @Get('segments/:hash')
  @ApiProduces('application/json')
  @ApiOkResponse({ schema: { type: 'object' } })
  async segment(@Param('hash') hash: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const encoding = acceptedEncoding(request);
    const body = await this.sync.segment(hash, encoding);
    await sendBody(reply, body, encoding, hash, IMMUTABLE_CACHE);
  }

  @Get(':scope')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: ManifestResponse })
  manifest(@Param('scope') scope: string): Promise<ManifestResponse> {
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
    const encoding = acceptedEncoding(request);
    const delta = await this.sync.delta(scope, typeof cursor === 'string' ? cursor : '', details === '1', encoding);
    if (delta === null) await reply.code(204).header('Cache-Control', 'no-cache').send();
    else if ('reset' in delta) await sendReset(reply, request.id, delta.reset);
    else await sendBody(reply, delta.body, encoding, delta.tag, 'no-cache');
  }
}

function sendBody(reply: FastifyReply, body: Buffer, encoding: ContentEncoding, tag: string, cacheControl: string) {
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
  const body: SyncResetResponse = {
    code: 'CONFLICT',
    message: 'This copy is too old to be brought up to date',
    requestId,
    reset: true,
    epoch,
  };
  return reply.code(409).header('Cache-Control', 'no-store').send(body);
}

/** Brotli for every client that accepts it, since bodies are stored in brotli. */
function acceptedEncoding(request: FastifyRequest): ContentEncoding {
  const accepted = new Negotiator(request).encodings(ENCODINGS);
  return ENCODINGS.find((encoding) => accepted.includes(encoding)) ?? 'identity';
}
