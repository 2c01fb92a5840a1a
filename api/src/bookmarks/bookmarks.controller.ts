import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import type { Language } from '@nivida/contract/languages';
import {
  BookmarkListResponse,
  BookmarkStateResponse,
  BookmarkSyncRequest,
  BookmarkSyncResponse,
} from '@nivida/contract/tenders/bookmark';
import { AuthGuard, CurrentUser } from '../auth/auth.guard.ts';
import type { SignedInUser } from '../auth/sessions/sessions.service.ts';
import { accountLimit } from '../http/limits/account-limit.guard.ts';
import { BodyLimit } from '../http/routing/request-bodies.ts';
import { RequestLanguage } from '../http/routing/request-language.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { BookmarksService } from './bookmarks.service.ts';

const MAX_SYNC_BYTES = 131_072;

@Controller('api')
@UseGuards(AuthGuard, accountLimit('bookmarks'))
@ApiBearerAuth()
export class BookmarksController {
  constructor(private readonly bookmarks: BookmarksService) {}

  // The router prefers this static path to tenders/:id.
  @Get('tenders/bookmarked')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @NoStore()
  @ApiOkResponse({ standardSchema: BookmarkListResponse })
  list(@CurrentUser() user: SignedInUser): Promise<string> {
    return this.bookmarks.list(user.id);
  }

  @Post('tenders/:id/bookmark')
  @HttpCode(200)
  @NoStore()
  @ApiOkResponse({ standardSchema: BookmarkStateResponse })
  async add(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<BookmarkStateResponse> {
    await this.bookmarks.add(user.id, id);
    return { bookmarked: true };
  }

  @Delete('tenders/:id/bookmark')
  @NoStore()
  @ApiOkResponse({ standardSchema: BookmarkStateResponse })
  async remove(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<BookmarkStateResponse> {
    await this.bookmarks.remove(user.id, id);
    return { bookmarked: false };
  }

  @Post('bookmarks/sync')
  @HttpCode(200)
  @BodyLimit(MAX_SYNC_BYTES)
  @NoStore()
  @ApiOkResponse({ standardSchema: BookmarkSyncResponse })
  sync(
    @CurrentUser() user: SignedInUser,
    @Body({ schema: BookmarkSyncRequest }) { changes }: BookmarkSyncRequest,
    @RequestLanguage() language: Language,
  ): Promise<BookmarkSyncResponse> {
    return this.bookmarks.sync(user.id, changes, language);
  }
}
