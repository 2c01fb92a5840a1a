import { Controller, Get, Header, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import {
  FILE_ETAG_HEADER,
  FILE_OFFSET_HEADER,
  ManifestResponse,
  RESUME_STEP,
  type SyncResetResponse,
} from '@nivida/contract/sync/sync';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, forPrograms } from '../base/app-error.ts';
import { acceptedEncoding, type ContentEncoding, etagFor } from '../http/body-cache.ts';
import { parseRange } from '../http/byte-range.ts';
import { sharedCache } from '../http/security/security-headers.ts';
import { type PartialBody, SyncService } from './sync.service.ts';

/** A device asks each time. A cache that many devices share may answer all those with the same cursor for five seconds. */
const DELTA_CACHE = sharedCache(5);

/** The bytes under a hash never change, so any CDN may cache them. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

/** Serves packs and deltas. Bodies are already compressed and have their own tags, so Nest's serializer is bypassed. */
@Controller('api/sync')
export class SyncController {
  constructor(private readonly sync: SyncService) {}

  @Get('segments/:hash')
  @ApiProduces('application/json')
  @ApiQuery({ name: 'from', required: false, description: 'Answers the uncompressed file from this byte on' })
  @ApiOkResponse({ schema: { type: 'object' } })
  async segment(
    @Param('hash') hash: string,
    @Query('from') from: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const encoding = acceptedEncoding(request);
    const rest = await this.sync.segment(hash, encoding, readOffset(from));
    await sendBody(request, reply, { ...rest, tag: hash, encoding, cacheControl: IMMUTABLE_CACHE });
  }

  @Get(':scope')
  @Header('Cache-Control', 'no-cache')
  @ApiOkResponse({ standardSchema: ManifestResponse })
  manifest(@Param('scope') scope: string): Promise<ManifestResponse> {
    return this.sync.manifest(scope);
  }

  @Get(':scope/delta')
  @ApiProduces('application/json')
  @ApiQuery({
    name: 'from',
    required: false,
    description: 'With `of`: answers the uncompressed delta from this byte on',
  })
  @ApiQuery({
    name: 'max',
    required: false,
    description: 'Refuses more changes than this when the manifest has newer segments',
  })
  @ApiQuery({ name: 'of', required: false, description: 'The ETag of the answer that `from` continues' })
  @ApiOkResponse({ schema: { type: 'object' } })
  async delta(
    @Param('scope') scope: string,
    @Query('cursor') cursor: unknown,
    @Query('details') details: unknown,
    @Query('max') max: unknown,
    @Query('from') from: unknown,
    @Query('of') of: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const encoding = acceptedEncoding(request);
    const continued = { from: readOffset(from), tag: typeof of === 'string' ? tagOf(of) : '' };
    const maxChanges = typeof max === 'string' && /^\d{1,9}$/.test(max) ? Number(max) : undefined;
    const delta = await this.sync.delta(
      scope,
      typeof cursor === 'string' ? cursor : '',
      { isComplete: details === '1', maxChanges },
      encoding,
      continued,
    );
    if (delta === null) await reply.code(204).header('Cache-Control', DELTA_CACHE).send();
    else if ('reset' in delta) await sendReset(reply, request.id, delta.reset);
    else await sendBody(request, reply, { ...delta, encoding, cacheControl: DELTA_CACHE });
  }
}

interface SyncBody extends PartialBody {
  /** Equal for equal uncompressed files. */
  tag: string;
  encoding: ContentEncoding;
  cacheControl: string;
}

/** The tag in an ETag that this server or a proxy has sent. */
const tagOf = (etag: string): string => etag.replace(/^(W\/)?"|"$/g, '').replace(/-(br|gzip)$/, '');

/** Sends a whole body, the rest of a file from an offset, or a byte range of the compressed file (RFC 9110 section 14). */
function sendBody({ headers }: FastifyRequest, reply: FastifyReply, sent: SyncBody) {
  const { body, from, tag, encoding, cacheControl } = sent;
  const etag = etagFor(tag, encoding);
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  reply.headers({
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
  });
  // The rest of a file has no ETag. Caches store it by its address.
  if (from > 0) return reply.headers({ [FILE_ETAG_HEADER]: etag, [FILE_OFFSET_HEADER]: String(from) }).send(body);
  const range = parseRange(headers, body.length, etag);
  if (range === 'none') return sendUnsatisfiable(reply, body.length);
  reply.headers({ ETag: etag, [FILE_ETAG_HEADER]: etag, 'Accept-Ranges': 'bytes' });
  if (!range) return reply.send(body);
  const { start, end } = range;
  reply.code(206).header('Content-Range', `bytes ${start}-${end}/${body.length}`);
  return reply.send(body.subarray(start, end + 1));
}

function sendUnsatisfiable(reply: FastifyReply, bytes: number) {
  return reply
    .code(416)
    .removeHeader('Content-Encoding')
    .headers({ 'Content-Range': `bytes */${bytes}`, 'Cache-Control': 'no-store' })
    .send();
}

/** 0 without an offset. A malformed one is refused. */
function readOffset(from: unknown): number {
  if (from === undefined) return 0;
  const offset = typeof from === 'string' && /^\d{1,12}$/.test(from) ? Number(from) : Number.NaN;
  if (Number.isNaN(offset) || offset % RESUME_STEP !== 0)
    throw new AppError('INVALID', forPrograms(`\`from\` is a multiple of ${RESUME_STEP}`));
  return offset;
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
