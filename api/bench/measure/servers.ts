/** The compared servers, each in its own process. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createModule } from '../../src/app/app.module.ts';
import { builtPagesFolder, createServer } from '../../src/app/server.ts';
import { type Config, readConfig } from '../../src/base/config.ts';
import type { EmbeddedPostgresConnection } from '../../src/database/embedded-postgres.ts';
import { createDataSource } from '../../src/schema/data-source.ts';
import { createBareHandler } from './plain/bare-handler.ts';
import { nextMessage, type Workspace } from './workspace.ts';

const LOOPBACK = '127.0.0.1';

/** `product` is this API as built; `bare` is the reference of lists. */
export type ServerKind = 'product' | 'bare';

/** Starts a server on a database as a child process and returns its origin. `entry` must call `serve` for its arguments. */
export async function startServer(
  workspace: Workspace,
  entry: string,
  kind: ServerKind,
  address: EmbeddedPostgresConnection,
): Promise<string> {
  const child = workspace.start(entry, [kind, JSON.stringify(address)]);
  // The server would block on an unread pipe.
  child.stdout?.resume();
  const { port } = await nextMessage<{ port: number }>(child);
  return `http://${LOOPBACK}:${port}`;
}

/** In the child process: listens on a free port and sends it to the parent. */
export async function serve(kind: string, address: EmbeddedPostgresConnection): Promise<void> {
  const server =
    kind === 'bare'
      ? await listenReference(createBareHandler(address))
      : (await listenProduct(address)).getHttpServer();
  process.send?.({ port: portOf(server) });
}

/** The port that a server listens on. */
export const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** This API on a database, listening on a free port of this process. */
export async function listenProduct(
  address: EmbeddedPostgresConnection,
  now = () => new Date(),
  config: Config = readConfig({ PORT: '0' }),
): Promise<NestFastifyApplication> {
  const dataSource = await createDataSource(address).initialize();
  const database = { address, dataSource, close: () => dataSource.destroy() };
  const parts = { config, database, now, pagesFolder: builtPagesFolder() };
  const app = await createServer(createModule(parts), parts);
  await app.listen(0, LOOPBACK);
  return app;
}

async function listenReference(handler: ReturnType<typeof createBareHandler>): Promise<Server> {
  const server = createHttpServer(handler).listen(0, LOOPBACK);
  await once(server, 'listening');
  return server;
}
