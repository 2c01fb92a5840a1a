import { Body, Controller, Delete, Get, Header, HttpCode, Inject, Param, Post, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse } from '@nestjs/swagger';
import { BookmarkAnswer, BookmarkList, WishAnswer, WishList } from '@nivida/contract/bookmark';
import type { SignedInUser } from '../auth/sessions.service.ts';
import { accountLimit } from '../http/account-limit.guard.ts';
import { AuthGuard } from '../http/auth.guard.ts';
import { BodyLimit } from '../http/bodies.ts';
import { CurrentUser } from '../http/current-user.ts';
import { BookmarksService } from './bookmarks.service.ts';

const PRIVATE = ['Cache-Control', 'no-store'] as const;
const SYNC_BYTES = 131_072;

@Controller('api')
@UseGuards(AuthGuard, accountLimit('bookmarks', { most: 120, perSeconds: 60 }))
@ApiBearerAuth()
export class BookmarksController {
  constructor(@Inject(BookmarksService) private readonly bookmarks: BookmarksService) {}

  // Also after tenders/:id in the order of routes: the router prefers the path that is written out.
  @Get('tenders/bookmarked')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: BookmarkList })
  list(@CurrentUser() user: SignedInUser): Promise<string> {
    return this.bookmarks.list(user.id);
  }

  @Post('tenders/:id/bookmark')
  @HttpCode(200)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: BookmarkAnswer })
  async add(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<BookmarkAnswer> {
    await this.bookmarks.add(user.id, id);
    return { bookmarked: true };
  }

  @Delete('tenders/:id/bookmark')
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: BookmarkAnswer })
  async remove(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<BookmarkAnswer> {
    await this.bookmarks.remove(user.id, id);
    return { bookmarked: false };
  }

  @Post('bookmarks/sync')
  @HttpCode(200)
  @BodyLimit(SYNC_BYTES)
  @Header(...PRIVATE)
  @ApiOkResponse({ standardSchema: WishAnswer })
  sync(@CurrentUser() user: SignedInUser, @Body({ schema: WishList }) { wishes }: WishList): Promise<WishAnswer> {
    return this.bookmarks.sync(user.id, wishes);
  }
}
