/**
 * COPY over a connection of pg, which parses its messages but has no API for it. The text format is the same in every
 * version of PostgreSQL, and equal rows give equal lines.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type Client, type Connection, Query } from 'pg';

/** Methods of pg's connection that its types lack. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** A query with the two message handlers that pg leaves to subclasses. */
class CopyQuery extends Query {
  handleCopyData: (message: { chunk: Buffer }, connection: CopyConnection) => void = () => {};
  handleCopyInResponse: (connection: CopyConnection) => void = () => {};
}

/** The bytes of a `COPY … TO STDOUT`, with backpressure. */
export function copyOut(client: Client, statement: string): Readable {
  let resume = () => {};
  const bytes = new Readable({
    read: () => resume(),
    destroy(error, done) {
      resume();
      done(error);
    },
  });
  const query = new CopyQuery(statement, (error) => {
    if (error) bytes.destroy(error);
    else bytes.push(null);
  });
  query.handleCopyData = ({ chunk }, { stream }) => {
    // If the reader has gone, the remaining bytes are dropped, so that the connection can be used again.
    if (bytes.destroyed) return;
    resume = () => stream.resume();
    // pg reuses the buffer of the chunk, so it is copied.
    if (!bytes.push(Buffer.from(chunk))) stream.pause();
  };
  client.query(query);
  return bytes;
}

/** Sends bytes to a `COPY … FROM STDIN`. */
export function copyIn(client: Client, statement: string, bytes: Readable): Promise<void> {
  return new Promise((done, fail) => {
    const query = new CopyQuery(statement, (error) => (error ? fail(error) : done()));
    query.handleCopyInResponse = async (connection) => {
      try {
        for await (const chunk of bytes) {
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
        }
        connection.endCopyFrom();
      } catch (error) {
        connection.sendCopyFail((error as Error).message);
      }
    };
    client.query(query);
  });
}
