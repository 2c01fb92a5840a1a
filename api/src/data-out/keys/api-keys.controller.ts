import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiKeyListResponse, CreateApiKeyRequest, CreateApiKeyResponse } from '@nivida/contract/data-out/api-keys';
import type { FastifyRequest } from 'fastify';
import { AuthGuard, CurrentUser } from '../../auth/auth.guard.ts';
import type { SignedInUser } from '../../auth/sessions/sessions.service.ts';
import { accountLimit } from '../../http/limits/account-limit.guard.ts';
import { NoStore } from '../../http/security/security-headers.ts';
import { ApiKeysService } from './api-keys.service.ts';

@Controller('api/keys')
@ApiTags('data')
@ApiBearerAuth()
@UseGuards(AuthGuard, accountLimit('api-keys'))
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: ApiKeyListResponse })
  async list(@CurrentUser() { id }: SignedInUser): Promise<ApiKeyListResponse> {
    return { keys: await this.keys.list(id) };
  }

  @Post()
  @NoStore()
  @ApiCreatedResponse({ standardSchema: CreateApiKeyResponse })
  add(
    @CurrentUser() { id }: SignedInUser,
    @Body({ schema: CreateApiKeyRequest }) { name }: CreateApiKeyRequest,
    @Req() request: FastifyRequest,
  ): Promise<CreateApiKeyResponse> {
    return this.keys.add(id, name, request.id);
  }

  @Delete(':id')
  @HttpCode(204)
  @NoStore()
  @ApiNoContentResponse()
  revoke(@CurrentUser() user: SignedInUser, @Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    return this.keys.revoke(user.id, id, request.id);
  }
}
