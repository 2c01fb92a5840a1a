import { Body, Controller, Delete, Get, Header, HttpCode, Inject, Param, Patch, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { NewSearch, SavedSearch, SearchChange, SearchList } from '@nivida/contract/saved-search';
import type { SignedInUser } from '../auth/sessions.service.ts';
import { accountLimit } from '../http/account-limit.guard.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { CurrentUser } from '../http/current-user.ts';
import { SearchesService } from './searches.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;

@Controller('api/searches')
@UseGuards(AuthGuard, accountLimit('searches', { most: 120, perSeconds: 60 }))
@ApiBearerAuth()
export class SearchesController {
  constructor(@Inject(SearchesService) private readonly searches: SearchesService) {}

  @Get()
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SearchList })
  async list(@CurrentUser() user: SignedInUser): Promise<{ searches: SavedSearch[] }> {
    return { searches: await this.searches.list(user.id) };
  }

  @Post()
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SavedSearch })
  add(@CurrentUser() user: SignedInUser, @Body({ schema: NewSearch }) search: NewSearch): Promise<SavedSearch> {
    return this.searches.add(user.id, search);
  }

  @Patch(':id')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: SavedSearch })
  change(
    @CurrentUser() user: SignedInUser,
    @Param('id') id: string,
    @Body({ schema: SearchChange }) change: SearchChange,
  ): Promise<SavedSearch> {
    return this.searches.change(user.id, id, change);
  }

  @Delete(':id')
  @HttpCode(204)
  @Header(...PRIVATE)
  @ApiNoContentResponse()
  remove(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<void> {
    return this.searches.remove(user.id, id);
  }
}
