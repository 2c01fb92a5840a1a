import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { AccessTokens } from './auth/access-token.ts';
import { SessionsService } from './auth/sessions.service.ts';
import { BookmarksController } from './bookmarks/bookmarks.controller.ts';
import { BookmarksService } from './bookmarks/bookmarks.service.ts';
import { toPgOptions } from './database/data-source.ts';
import { HealthController } from './http/health.controller.ts';
import type { ServerParts } from './http/server.ts';
import { CLOCK, CONFIG, READ_POOL } from './http/tokens.ts';
import { SyncController } from './sync/sync.controller.ts';
import { SyncService } from './sync/sync.service.ts';
import { TendersController } from './tenders/tenders.controller.ts';
import { TendersService } from './tenders/tenders.service.ts';

const READ_CONNECTIONS = 16;
const READ_TIMEOUT_MS = 3_000;

/** Closes the read pool with the app. */
class ReadPool extends Pool {
  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
}

@Module({})
class AppModule {}

/** The only module, for one server: lists the features and binds what they inject. */
export function createModule({ config, database, now }: ServerParts): DynamicModule {
  return {
    module: AppModule,
    controllers: [HealthController, TendersController, SyncController, BookmarksController],
    providers: [
      TendersService,
      SyncService,
      SessionsService,
      BookmarksService,
      { provide: AccessTokens, useFactory: () => new AccessTokens(config.sessionKeys, config.publicOrigin) },
      { provide: CONFIG, useValue: config },
      { provide: CLOCK, useValue: now },
      { provide: DataSource, useValue: database.dataSource },
      { provide: READ_POOL, useFactory: () => createReadPool(database.address) },
    ],
  };
}

function createReadPool(address: ServerParts['database']['address']): Pool {
  const pool = new ReadPool({
    ...toPgOptions(address),
    max: READ_CONNECTIONS,
    statement_timeout: READ_TIMEOUT_MS,
    options: '-c timezone=UTC',
  });
  // A connection that breaks while idle is replaced with the next query.
  pool.on('error', () => {});
  return pool;
}
