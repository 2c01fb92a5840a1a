import { Readable } from 'node:stream';
import { t } from '@lingui/core/macro';
import { Body, Get, HttpCode, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  AddKeyRequest,
  ChangedFeed,
  ChangedKey,
  CountFileRequest,
  DeskFeedList,
  DeskFile,
  DeskFileList,
  DeskFileQuery,
  DeskKeyList,
  DeskPortalList,
  FileColumns,
  FileColumnsQuery,
  ImportFileRequest,
  RunFeedRequest,
  StagedFile,
  StageFileRequest,
} from '@nivida/contract/desk/data-in';
import type { FastifyRequest } from 'fastify';
import { type InferOutput, UUID_REGEX } from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { AppError } from '../../base/app-error.ts';
import { BodyLimit, StreamBody } from '../../http/routing/request-bodies.ts';
import { FeedsService } from '../../ingest/feeds/feeds.service.ts';
import { ImportKeysService } from '../../ingest/sent-files/import-keys.service.ts';
import { CurrentAct, DeskAct } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { DataInService } from './data-in.service.ts';
import { toDeskFeed, toDeskKey } from './data-in-rows.ts';

/** A mapping of a wide table. */
const MAPPING_BYTES = 262_144;

/** The id of an address. NOT_FOUND for anything else. */
function readFileId(text: string): string {
  if (!UUID_REGEX.test(text)) throw new AppError('NOT_FOUND', () => t`There is no such file`);
  return text.toLowerCase();
}

/** The position of a part in an address. */
function readPosition(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new AppError('NOT_FOUND', () => t`There is no such file`);
  return Number(text);
}

@DeskController('data')
export class DataInController {
  constructor(
    private readonly data: DataInService,
    private readonly feeds: FeedsService,
    private readonly keys: ImportKeysService,
  ) {}

  @Get('files')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskFileList })
  list(@Query({ schema: DeskFileQuery }) { page }: DeskFileQuery): Promise<DeskFileList> {
    return this.data.list(page);
  }

  /** Not an act: a file that is not imported is removed after a day. */
  @Post('files')
  @HttpCode(200)
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: StagedFile })
  async stage(
    @CurrentStaff() staff: StaffMember,
    @Body({ schema: StageFileRequest }) { name }: InferOutput<typeof StageFileRequest>,
  ): Promise<StagedFile> {
    return { id: await this.data.stage(name, staff.id), parts: 0 };
  }

  /** The body is the part. A part that is here already is not added twice. */
  @Post('files/:id/parts/:position')
  @HttpCode(200)
  @StaffOnly('operator')
  @StreamBody()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @ApiOkResponse({ standardSchema: StagedFile })
  async addPart(
    @Param('id') id: string,
    @Param('position') position: string,
    @Req() request: FastifyRequest,
  ): Promise<StagedFile> {
    const body = request.body instanceof Readable ? request.body : Readable.from([]);
    return { id, parts: await this.data.addPart(readFileId(id), readPosition(position), body) };
  }

  @Get('files/:id')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskFile })
  show(@Param('id') id: string): Promise<DeskFile> {
    return this.data.show(readFileId(id));
  }

  @Get('files/:id/columns')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: FileColumns })
  columns(
    @Param('id') id: string,
    @Query({ schema: FileColumnsQuery }) { portal }: FileColumnsQuery,
  ): Promise<FileColumns> {
    return this.data.columns(readFileId(id), portal);
  }

  @Get('files/:id/rejects')
  @StaffOnly('operator')
  @ApiProduces('text/csv')
  async rejects(@Param('id') id: string): Promise<StreamableFile> {
    const report = await this.data.rejects(readFileId(id));
    return new StreamableFile(report, { type: 'text/csv; charset=utf-8', disposition: 'attachment' });
  }

  /** Not an act: nothing is stored but the counts. */
  @Post('files/:id/count')
  @HttpCode(200)
  @StaffOnly('operator')
  @BodyLimit(MAPPING_BYTES)
  @ApiOkResponse({ standardSchema: DeskFile })
  count(@Param('id') id: string, @Body({ schema: CountFileRequest }) request: CountFileRequest): Promise<DeskFile> {
    return this.data.count(readFileId(id), request);
  }

  @DeskAct('files/:id/import')
  @StaffOnly('operator')
  @BodyLimit(MAPPING_BYTES)
  @ApiOkResponse({ standardSchema: DeskFile })
  import(
    @Param('id') id: string,
    @Body({ schema: ImportFileRequest }) request: ImportFileRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DeskFile> {
    return this.data.import(readFileId(id), request, act);
  }

  @Get('feeds')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskFeedList })
  async listFeeds(): Promise<DeskFeedList> {
    return { rows: (await this.feeds.list()).map(toDeskFeed) };
  }

  @DeskAct('feeds/:name/run')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedFeed })
  async runFeed(
    @Param('name') name: string,
    @Body({ schema: RunFeedRequest }) { accepts, files }: InferOutput<typeof RunFeedRequest>,
    @CurrentAct() act: OperatorAct,
  ): Promise<{ name: string }> {
    await this.feeds.requestRun(name, act, { accepts, files });
    return { name };
  }

  @DeskAct('feeds/:name/pause')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedFeed })
  async pauseFeed(
    @Param('name') name: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<{ name: string }> {
    await this.feeds.setPaused(name, true, act);
    return { name };
  }

  @DeskAct('feeds/:name/resume')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedFeed })
  async resumeFeed(
    @Param('name') name: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<{ name: string }> {
    await this.feeds.setPaused(name, false, act);
    return { name };
  }

  @Get('keys')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskKeyList })
  async listKeys(): Promise<DeskKeyList> {
    return { rows: (await this.keys.list()).map(toDeskKey) };
  }

  @DeskAct('keys')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedKey })
  async addKey(
    @CurrentStaff() { username }: StaffMember,
    @Body({ schema: AddKeyRequest }) { name, portal, lists_only, key_sha256 }: AddKeyRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<{ id: string }> {
    const options = { name, portal: portal ?? undefined, listsOnly: lists_only, keySha256: key_sha256 };
    return { id: await this.keys.addDigest(options, username, act) };
  }

  @DeskAct('keys/:id/end')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedKey })
  async endKey(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<{ id: string }> {
    await this.keys.revoke(id, act);
    return { id };
  }

  @Get('portals')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskPortalList })
  portals(): Promise<DeskPortalList> {
    return this.data.portals();
  }
}
