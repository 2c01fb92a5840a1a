import { t } from '@lingui/core/macro';
import { Body, Controller, Get, Header, HttpCode, Param, Put, Req, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConsumes, ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import { FileBackup, FileBackupRequest } from '@nivida/contract/bids/file-backup';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import type { FastifyRequest } from 'fastify';
import { AuthGuard } from '../auth/auth.guard.ts';
import { AppError, forPrograms } from '../base/app-error.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { RawBody } from '../http/routing/request-bodies.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { FileBackupService } from './file-backup.service.ts';
import { FIRM_QUERY, type RecordSpace, SpaceOfRequest } from './record-space.ts';

const HASH = /^[\da-f]{64}$/;
const COUNT = /^\d{1,3}$/;

@Controller('api/bids/file-backup')
@UseGuards(AuthGuard, accountLimit('file-backup'))
@ApiBearerAuth()
@ApiQuery(FIRM_QUERY)
export class FileBackupController {
  constructor(private readonly backup: FileBackupService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: FileBackup })
  read(@SpaceOfRequest() space: RecordSpace): Promise<FileBackup> {
    return this.backup.read(space);
  }

  @Put()
  @NoStore()
  @ApiOkResponse({ standardSchema: FileBackup })
  switch(
    @SpaceOfRequest() space: RecordSpace,
    @Body({ schema: FileBackupRequest }) { isOn }: FileBackupRequest,
  ): Promise<FileBackup> {
    return this.backup.switch(space, isOn);
  }

  /** `part` counts from 0 and ends before `parts`. */
  @Put('files/:hash/:part/:parts')
  @HttpCode(204)
  @RawBody(FILE_PART_BYTES)
  @ApiConsumes('application/octet-stream')
  async put(
    @SpaceOfRequest() space: RecordSpace,
    @Param() { hash, part, parts }: Record<'hash' | 'part' | 'parts', string>,
    // A @Body() parameter would be validated byte by byte.
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    if (!HASH.test(hash) || !COUNT.test(part) || !COUNT.test(parts) || !(body instanceof Buffer))
      throw new AppError('INVALID', forPrograms('Send the bytes of one part of a file'));
    await this.backup.put(space, { hash, part: Number(part), parts: Number(parts) }, body);
  }

  /** The browser must never show the file as a page of this site. */
  @Get('files/:hash')
  @NoStore()
  @ApiProduces('application/octet-stream')
  @Header('Content-Disposition', 'attachment')
  async get(@SpaceOfRequest() space: RecordSpace, @Param('hash') hash: string): Promise<StreamableFile> {
    if (!HASH.test(hash)) throw new AppError('NOT_FOUND', () => t`The backup does not have this file`);
    return new StreamableFile(await this.backup.get(space, hash), { type: 'application/octet-stream' });
  }
}
