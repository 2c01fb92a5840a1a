/** A network between a server and its database, in a process of its own. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { nextMessage, type Workspace } from '../workspace.ts';

const EXECUTE = 'E'.charCodeAt(0);
const SIMPLE_QUERY = 'Q'.charCodeAt(0);

export interface DatabaseLink {
  port: number;
  /** Statements that were sent through it so far. */
  statements(): Promise<number>;
}

/** Starts a child process of `entry`, which must call `serveDatabaseLink` with the arguments after 'link'. */
export async function startDatabaseLink(
  workspace: Workspace,
  entry: string,
  socketPath: string,
  oneWayMs: number,
): Promise<DatabaseLink> {
  const child = workspace.start(entry, ['link', socketPath, String(oneWayMs)]);
  child.stdout?.resume();
  const { port } = await nextMessage<{ port: number }>(child);
  return {
    port,
    async statements() {
      const message = nextMessage<{ statements: number }>(child);
      child.send('statements');
      return (await message).statements;
    },
  };
}

/** In the child process: forwards connections to a Unix socket; each direction takes `oneWayMs`. */
export async function serveDatabaseLink(socketPath: string, oneWayMs: number): Promise<void> {
  let statements = 0;
  const forward = (from: Socket, to: Socket, onChunk: (chunk: Buffer) => void = () => {}) => {
    // Timers of one duration end in the order of their start.
    from.on('data', (chunk) => {
      onChunk(chunk);
      setTimeout(() => to.writable && to.write(chunk), oneWayMs);
    });
    from.on('close', () => setTimeout(() => to.end(), oneWayMs));
    from.on('error', () => from.destroy());
  };
  const server = createServer((client) => {
    const database = connect(socketPath);
    const counter = new StatementCounter();
    forward(client.setNoDelay(), database, (chunk) => {
      statements += counter.count(chunk);
    });
    forward(database, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.on('message', () => process.send?.({ statements }));
  process.send?.({ port: (server.address() as AddressInfo).port });
}

/** Reads the messages of one client of PostgreSQL's protocol, version 3. */
export class StatementCounter {
  private unread: Buffer = Buffer.alloc(0);
  /** The first message has no type. */
  private isStarted = false;

  /** The statements that begin to run with the messages that `chunk` completes. `BEGIN` and `COMMIT` are statements too. */
  count(chunk: Buffer): number {
    this.unread = Buffer.concat([this.unread, chunk]);
    let statements = 0;
    for (;;) {
      const typeBytes = this.isStarted ? 1 : 0;
      if (this.unread.length < typeBytes + 4) return statements;
      const length = typeBytes + this.unread.readInt32BE(typeBytes);
      if (this.unread.length < length) return statements;
      if (this.isStarted && [EXECUTE, SIMPLE_QUERY].includes(this.unread[0] as number)) statements += 1;
      this.isStarted = true;
      this.unread = this.unread.subarray(length);
    }
  }
}
