import { Controller, Get, HttpCode, Param, Put, Query, Req, StreamableFile, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiConsumes, ApiOkResponse, ApiProduces, ApiQuery } from '@nestjs/swagger';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import { UploadResponse } from '@nivida/contract/support/attachments';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import { DeviceUploadGuard } from '../auth/sessions/device-changes.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { AppError, forPrograms } from '../base/app-error.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { RawBody } from '../http/routing/request-bodies.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { type AttachmentContent, AttachmentsService } from './attachments.service.ts';
import { ThreadId } from './thread-id.ts';

const COUNT = /^\d{1,2}$/;

@Controller('api/support/attachments')
@ApiBearerAuth()
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  /** `part` counts from 0 and ends before `parts`. */
  @Put(':id/:part/:parts')
  @UseGuards(DeviceUploadGuard, accountLimit('support'))
  @HttpCode(200)
  @RawBody(FILE_PART_BYTES)
  @NoStore()
  @ApiConsumes('application/octet-stream')
  @ApiQuery({ name: 'name', required: false, description: 'File name without a path' })
  @ApiOkResponse({ standardSchema: UploadResponse })
  put(
    @CurrentUser() user: SignedInUser,
    @ThreadId() id: string,
    @Param() { part, parts }: Record<'part' | 'parts', string>,
    @Query('name') name: unknown,
    // A @Body() parameter would be validated byte by byte.
    @Req() { body }: FastifyRequest,
  ): Promise<UploadResponse> {
    if (!COUNT.test(part) || !COUNT.test(parts) || !(body instanceof Buffer))
      throw new AppError('INVALID', forPrograms('Send the bytes of one part of a file'));
    const place = { part: Number(part), parts: Number(parts), name: typeof name === 'string' ? name : '' };
    return this.attachments.put(user.id, id, place, body);
  }

  @Get(':id')
  @UseGuards(AuthGuard, accountLimit('support'))
  @NoStore()
  @ApiProduces('application/octet-stream')
  async get(@CurrentUser() user: SignedInUser, @ThreadId() id: string): Promise<StreamableFile> {
    return downloadOf(await this.attachments.readOwn(user.id, id));
  }
}

/** A file that the browser saves and never shows as a page of this site. */
export function downloadOf({ name, type, bytes }: AttachmentContent): StreamableFile {
  const encoded = encodeURIComponent(name).replaceAll("'", '%27');
  return new StreamableFile(bytes, {
    type: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    disposition: `attachment; filename*=UTF-8''${encoded}`,
    length: bytes.length,
  });
}
