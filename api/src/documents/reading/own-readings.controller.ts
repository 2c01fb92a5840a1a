import { t } from '@lingui/core/macro';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConsumes, ApiOkResponse, ApiQuery } from '@nestjs/swagger';
import { KeepReadingRequest, ReadingUpload } from '@nivida/contract/documents/own-readings';
import { OwnReading } from '@nivida/contract/documents/tender-reading';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import type { FastifyRequest } from 'fastify';
import { UUID_REGEX } from 'valibot';
import { AuthGuard, CurrentUser } from '../../auth/auth.guard.ts';
import type { SignedInUser } from '../../auth/sessions/sessions.service.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { accountLimit } from '../../http/limits/account-limit.guard.ts';
import { RawBody } from '../../http/routing/request-bodies.ts';
import { PrivateNoStore } from '../../http/security/security-headers.ts';
import { OwnReadingsService } from './own-readings.service.ts';

const HASH = /^[\da-f]{64}$/;
const COUNT = /^\d{1,4}$/;

@Controller('api/readings')
@UseGuards(AuthGuard, accountLimit('readings'))
@ApiBearerAuth()
export class OwnReadingsController {
  constructor(private readonly readings: OwnReadingsService) {}

  /** `part` counts from 0 and ends before `parts`. The answer to the last part comes when the file is read. */
  @Put('files/:sha256/:part/:parts')
  @HttpCode(200)
  @RawBody(FILE_PART_BYTES)
  @PrivateNoStore()
  @ApiConsumes('application/octet-stream')
  @ApiQuery({ name: 'name', required: false, description: 'File name without a path' })
  @ApiOkResponse({ standardSchema: ReadingUpload })
  put(
    @CurrentUser() user: SignedInUser,
    @Param() { sha256, part, parts }: Record<'sha256' | 'part' | 'parts', string>,
    @Query('name') name: unknown,
    // A @Body() parameter would be validated byte by byte.
    @Req() { body }: FastifyRequest,
  ): Promise<ReadingUpload> {
    if (!HASH.test(sha256) || !COUNT.test(part) || !COUNT.test(parts) || !(body instanceof Buffer))
      throw new AppError('INVALID', forPrograms('Send the bytes of one part of a file'));
    const place = { sha256, part: Number(part), parts: Number(parts), name: typeof name === 'string' ? name : '' };
    return this.readings.put(user.id, place, body);
  }

  @Get(':id')
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: OwnReading })
  read(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<OwnReading> {
    return this.readings.find(user.id, checkedId(id));
  }

  @Post(':id/keep')
  @HttpCode(200)
  @PrivateNoStore()
  @ApiOkResponse({ standardSchema: OwnReading })
  keep(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: KeepReadingRequest }) { tenderId }: KeepReadingRequest,
  ): Promise<OwnReading> {
    return this.readings.keep(user.id, checkedId(id), tenderId);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<void> {
    await this.readings.remove(user.id, checkedId(id));
  }
}

function checkedId(id: string): string {
  if (!UUID_REGEX.test(id))
    throw new AppError('NOT_FOUND', () => t`This document is not here any more. Share it again.`);
  return id.toLowerCase();
}
