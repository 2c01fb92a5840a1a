/** A reverse proxy like the deployment's: TLS and HTTP/2, all files of a page over one connection. */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createCertificate } from '../../test/support/certificate.ts';

/** Headers of HTTP/1.1 that HTTP/2 forbids. */
const HOP_BY_HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding'];

export interface TlsProxy {
  /** 'https://localhost:40123'; the certificate is self-signed, so the browser must be set to accept it. */
  origin: string;
  /** SHA-256 of the certificate's public key, by which Chromium trusts it; it caches no files of an ignored error. */
  keyHash: string;
  /** Sets the port that requests are forwarded to. */
  passTo: (port: number) => void;
  close: () => void;
}

/** Starts a proxy on a free port in this process. */
export async function startTlsProxy(): Promise<TlsProxy> {
  let target = 0;
  const agent = new Agent({ keepAlive: true });
  const { key, cert } = createCertificate();
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (asked, answered) => {
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith(':')));
    const { method, url: path } = asked;
    const passed = request({ port: target, method, path, headers, agent }, (answer) => {
      const endToEndHeaders = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP_HEADERS.includes(name));
      answered.writeHead(answer.statusCode ?? 502, Object.fromEntries(endToEndHeaders));
      answer.pipe(answered);
    });
    passed.on('error', () => answered.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return {
    keyHash: createHash('sha256').update(publicKey).digest('base64'),
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    passTo: (port) => {
      target = port;
    },
    close: () => {
      server.close();
      agent.destroy();
    },
  };
}
