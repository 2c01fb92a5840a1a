import { t } from '@lingui/core/macro';
import { Body, Controller, Get, Header, HttpCode, Param, Put, Req, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConsumes, ApiOkResponse, ApiProduces } from '@nestjs/swagger';
import { FileBackup, FileBackupRequest } from '@nivida/contract/bids/file-backup';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { AppError, forPrograms } from '../base/app-error.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { RawBody } from '../http/routing/request-bodies.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { FileBackupService } from './file-backup.service.ts';

const HASH = /^[\da-f]{64}$/;
const COUNT = /^\d{1,3}$/;

@Controller('api/bids/file-backup')
@UseGuards(AuthGuard, accountLimit('file-backup'))
@ApiBearerAuth()
export class FileBackupController {
  constructor(private readonly backup: FileBackupService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: FileBackup })
  read(@CurrentUser() user: SignedInUser): Promise<FileBackup> {
    return this.backup.read(user.id);
  }

  @Put()
  @NoStore()
  @ApiOkResponse({ standardSchema: FileBackup })
  switch(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: FileBackupRequest }) { isOn }: FileBackupRequest,
  ): Promise<FileBackup> {
    return this.backup.switch(user.id, isOn);
  }

  /** `part` counts from 0 and ends before `parts`. */
  @Put('files/:hash/:part/:parts')
  @HttpCode(204)
  @RawBody(FILE_PART_BYTES)
  @ApiConsumes('application/octet-stream')
  async put(
    @CurrentUser() user: SignedInUser,
    @Param() { hash, part, parts }: Record<'hash' | 'part' | 'parts', string>,
    // A @Body() parameter would be validated byte by byte.
    @Req() { body }: FastifyRequest,
  ): Promise<void> {
    if (!HASH.test(hash) || !COUNT.test(part) || !COUNT.test(parts) || !(body instanceof Buffer))
      throw new AppError('INVALID', forPrograms('Send the bytes of one part of a file'));
    await this.backup.put(user.id, { hash, part: Number(part), parts: Number(parts) }, body);
  }

  /** The browser must never show the file as a page of this site. */
  @Get('files/:hash')
  @NoStore()
  @ApiProduces('application/octet-stream')
  @Header('Content-Disposition', 'attachment')
  async get(@CurrentUser() user: SignedInUser, @Param('hash') hash: string): Promise<StreamableFile> {
    if (!HASH.test(hash)) throw new AppError('NOT_FOUND', () => t`The backup does not have this file`);
    return new StreamableFile(await this.backup.get(user.id, hash), { type: 'application/octet-stream' });
  }
}
