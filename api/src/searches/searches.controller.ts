import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import {
  CreateSavedSearchRequest,
  SavedSearch,
  SavedSearchListResponse,
  UpdateSavedSearchRequest,
} from '@nivida/contract/filter/saved-search';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { SearchesService } from './searches.service.ts';

@Controller('api/searches')
@UseGuards(AuthGuard, accountLimit('searches'))
@ApiBearerAuth()
export class SearchesController {
  constructor(private readonly searches: SearchesService) {}

  @Get()
  @NoStore()
  @ApiOkResponse({ standardSchema: SavedSearchListResponse })
  async list(@CurrentUser() user: SignedInUser): Promise<{ searches: SavedSearch[] }> {
    return { searches: await this.searches.list(user.id) };
  }

  @Post()
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: SavedSearch })
  add(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: CreateSavedSearchRequest }) search: CreateSavedSearchRequest,
  ): Promise<SavedSearch> {
    return this.searches.add(user.id, search);
  }

  @Patch(':id')
  @NoStore()
  @ApiOkResponse({ standardSchema: SavedSearch })
  change(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: UpdateSavedSearchRequest }) change: UpdateSavedSearchRequest,
  ): Promise<SavedSearch> {
    return this.searches.change(user.id, id, change);
  }

  @Delete(':id')
  @HttpCode(204)
  @NoStore()
  @ApiNoContentResponse()
  remove(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<void> {
    return this.searches.remove(user.id, id);
  }
}
