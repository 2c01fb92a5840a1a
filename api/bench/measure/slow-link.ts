/** A slow mobile connection in front of a server, for every browser and its service workers: latency and bytes per second. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Slow 4G, as in Lighthouse's mobile settings. */
const ROUND_TRIP_MS = 150;
const BYTES_PER_SECOND = 200_000;

export interface SlowLink {
  port: number;
  /** A fast link prepares a profile; a cut one refuses and ends all connections. */
  state: 'slow' | 'fast' | 'cut';
  /** All bytes sent to the browser so far, with those of TLS and HTTP. */
  downloadedBytes: number;
  /** Ends all connections, and refuses new ones until the state changes. */
  cut: () => void;
  close: () => void;
}

/** Starts a link to a port of this machine. */
export async function startSlowLink(targetPort: number): Promise<SlowLink> {
  const sockets = new Set<Socket>();
  /** When the link has sent all bytes before, by `performance.now()`. */
  let freeAt = 0;

  const isSlow = () => link.state === 'slow';
  /** Sends on in order; all connections share the bytes per second. */
  async function forward(from: Socket, to: Socket, isDownload: boolean): Promise<void> {
    let sent = Promise.resolve();
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (isDownload) link.downloadedBytes += chunk.length;
      const now = performance.now();
      if (isDownload && isSlow()) freeAt = Math.max(freeAt, now) + (chunk.length / BYTES_PER_SECOND) * 1_000;
      const departsAt = isDownload ? freeAt : now;
      const arrives = isSlow() ? wait(Math.max(0, departsAt - now) + ROUND_TRIP_MS / 2) : Promise.resolve();
      sent = Promise.all([sent, arrives]).then(() => void (to.writable && to.write(chunk)));
      // the sender waits while the link is busy
      if (isSlow() && departsAt > now) await wait(departsAt - now);
    }
    await sent;
    to.end();
  }

  const server = createServer(async (client) => {
    if (link.state === 'cut') {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => target.destroy());
    // the handshake of TCP
    if (isSlow()) await wait(ROUND_TRIP_MS);
    void forward(client, target, false).catch(() => target.destroy());
    void forward(target, client, true).catch(() => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const link: SlowLink = {
    port: (server.address() as AddressInfo).port,
    state: 'fast',
    downloadedBytes: 0,
    cut: () => {
      link.state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return link;
}
