/** An S3 server of this machine that checks signatures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** The only account of the server. */
export const S3_ENVIRONMENT = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };

export interface S3Server {
  endpoint: string;
  close(): Promise<void>;
}

/** With `place` the files of its folder stay, and the port is known beforehand. */
export async function startS3Server(buckets: string[], place?: { directory: string; port: number }): Promise<S3Server> {
  const directory = place?.directory ?? (await mkdtemp(join(tmpdir(), 'nivida-s3-')));
  const configureBuckets = buckets.map((name) => ({ name }));
  const server = new S3rver({
    address: '127.0.0.1',
    port: place?.port ?? 0,
    silent: true,
    directory,
    configureBuckets,
  });
  // This server leaves the last slash of /bucket/ out of the signature, so signatures of listings are not checked.
  server.middleware.unshift((context, next) => {
    if (/^\/[^/]+\/$/.test(context.path))
      Object.defineProperty(context, 'app', {
        value: Object.create(server, { allowMismatchedSignatures: { value: true } }),
      });
    return next();
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      await server.close();
      if (!place) await rm(directory, { recursive: true });
    },
  };
}
