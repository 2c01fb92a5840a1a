import { Readable } from 'node:stream';
import {
  Controller,
  Get,
  HttpCode,
  Inject,
  Options,
  Param,
  Post,
  Query,
  Req,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiConsumes, ApiExcludeEndpoint, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ImportQuery, SentFile } from '@nivida/contract/ingest/sent-files';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { UUID_REGEX } from 'valibot';
import { AppError, forPrograms } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CONFIG } from '../../base/injection-tokens.ts';
import { StreamBody } from '../../http/routing/request-bodies.ts';
import { clientAddress } from '../../http/security/client-address.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { ImportApiService } from './import-api.service.ts';
import type { ImportKeyEntity } from './import-key.entity.ts';
import { ImportKeysService } from './import-keys.service.ts';

/** Status of an answer whose file is not imported yet. */
const ACCEPTED = 202;
/** Status of an answer whose file was not imported, by the code of its problem. */
const PROBLEM_STATUS = {
  'mass-change': 409,
  state: 409,
  options: 400,
  columns: 422,
  file: 422,
  rejected: 422,
  failed: 500,
} as const;

/**
 * Files of programs, sent with a key. A page of a portal may call it (the bookmarklet): every origin is allowed, because
 * the key decides and no cookie is read.
 */
@Controller('api/import')
@ApiTags('import')
@ApiBearerAuth()
export class ImportApiController {
  constructor(
    private readonly imports: ImportApiService,
    private readonly keys: ImportKeysService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Options()
  @HttpCode(204)
  @ApiExcludeEndpoint()
  preflight(@Res({ passthrough: true }) reply: FastifyReply): void {
    allowPages(reply);
  }

  @Options(':id')
  @HttpCode(204)
  @ApiExcludeEndpoint()
  preflightOfOne(@Res({ passthrough: true }) reply: FastifyReply): void {
    allowPages(reply);
  }

  /** The body is the file. 200 with its counts, 202 while it is read, 409 and 422 when nothing was stored. */
  @Post()
  @NoStore()
  @StreamBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ standardSchema: SentFile })
  async send(
    @Query({ schema: ImportQuery }) query: ImportQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SentFile> {
    allowPages(reply);
    const key = await this.authenticate(request);
    if (!(request.body instanceof Readable))
      throw new AppError('INVALID', forPrograms('The body is empty; it is the file'));
    const file = await this.imports.send(key, query, request.body, request.id);
    reply.code(file.problem ? PROBLEM_STATUS[file.problem.code] : file.endedAt ? 200 : ACCEPTED);
    reply.header('Location', `/api/import/${file.id}`);
    return file;
  }

  @Get(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: SentFile })
  async read(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SentFile> {
    allowPages(reply);
    return this.imports.read(await this.authenticate(request), checkedId(id));
  }

  @Get(':id/rejects')
  @NoStore()
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  async rejects(@Param('id') id: string, @Req() request: FastifyRequest): Promise<StreamableFile> {
    const report = await this.imports.rejects(await this.authenticate(request), checkedId(id));
    return new StreamableFile(report, { type: 'text/csv; charset=utf-8', disposition: 'attachment' });
  }

  private authenticate(request: FastifyRequest): Promise<ImportKeyEntity> {
    // A program has no cookies, so its address alone is counted.
    const sender = { device: undefined, address: clientAddress(request, this.config.production) };
    return this.keys.authenticate(request.headers.authorization, sender);
  }
}

function checkedId(id: string): string {
  if (!UUID_REGEX.test(id)) throw new AppError('NOT_FOUND', forPrograms('There is no such file'));
  return id;
}

const allowPages = (reply: FastifyReply) =>
  reply.headers({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '600',
  });
