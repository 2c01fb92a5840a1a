import { Controller, Get, Header, Param, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import { OcdsDumpListResponse, OcdsPackageResponse, OcdsQuery } from '@nivida/contract/data-out/ocds-query';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OcdsDumpsService } from './ocds-dumps.service.ts';
import { OcdsExportService } from './ocds-export.service.ts';

const FIVE_MINUTES_CACHE = ['Cache-Control', 'public, max-age=300'] as const;
const NOT_MODIFIED = 304;

/** Imported tenders by the Open Contracting Data Standard. */
@Controller('api/ocds')
@ApiTags('data')
export class OcdsController {
  constructor(
    private readonly ocds: OcdsExportService,
    private readonly dumps: OcdsDumpsService,
  ) {}

  @Get('releases')
  @Header(...FIVE_MINUTES_CACHE)
  @ApiOkResponse({ standardSchema: OcdsPackageResponse })
  releases(@Query({ schema: OcdsQuery }) query: OcdsQuery): Promise<OcdsPackageResponse> {
    return this.ocds.readPackage('releases', query);
  }

  @Get('records')
  @Header(...FIVE_MINUTES_CACHE)
  @ApiOkResponse({ standardSchema: OcdsPackageResponse })
  records(@Query({ schema: OcdsQuery }) query: OcdsQuery): Promise<OcdsPackageResponse> {
    return this.ocds.readPackage('records', query);
  }

  @Get('dumps')
  @Header(...FIVE_MINUTES_CACHE)
  @ApiOkResponse({ standardSchema: OcdsDumpListResponse })
  list(): Promise<OcdsDumpListResponse> {
    return this.dumps.list();
  }

  @Get('dumps/:name')
  @ApiProduces('application/gzip')
  @ApiOkResponse({ schema: { type: 'string', format: 'binary' } })
  async dump(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const { file, bytes, sha256 } = await this.dumps.open(name);
    const etag = `"${sha256}"`;
    reply.headers({ [FIVE_MINUTES_CACHE[0]]: FIVE_MINUTES_CACHE[1], ETag: etag });
    if (request.headers['if-none-match']?.includes(etag)) {
      file.destroy();
      reply.code(NOT_MODIFIED);
      return undefined;
    }
    return new StreamableFile(file, {
      type: 'application/gzip',
      length: bytes,
      disposition: `attachment; filename="${name}"`,
    });
  }
}
