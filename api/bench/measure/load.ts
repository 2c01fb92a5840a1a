/** Sends HTTP requests to a server and measures the rate and the latency of its responses. */
import { Agent, get } from 'node:http';
import autocannon from 'autocannon';

/**
 * Requests per second that `origin` serves on `connections` over `seconds`, each with `headers`. Throws when a
 * request fails.
 */
export async function requestsPerSecond(
  origin: string,
  paths: string[],
  connections: number,
  seconds: number,
  headers: Record<string, string> = {},
): Promise<number> {
  let clients = 0;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    headers,
    // Each connection starts at another place in the list, so that they do not all request the same.
    setupClient(client) {
      const start = (clients++ * 7) % paths.length;
      client.setRequests([...paths.slice(start), ...paths.slice(0, start)].map((path) => ({ path })));
    },
  });
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${origin}: ${result.errors} errors, ${result.non2xx} answers that are not 2xx`);
  return result['2xx'] / result.duration;
}

/** Latencies in milliseconds of `count` requests, sent one after the other on each of `connections`. */
export async function latencies(
  origin: string,
  paths: string[],
  connections: number,
  count: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const path = paths[next++ % paths.length];
      const started = performance.now();
      await getText(`${origin}${path}`, agent);
      times.push(performance.now() - started);
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, client));
  } finally {
    agent.destroy();
  }
  return times;
}

/** The body of a 200 response. */
export function getText(url: string, agent?: Agent): Promise<string> {
  return new Promise((done, fail) => {
    const request = get(url, { agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () =>
        answer.statusCode === 200 ? done(text) : fail(new Error(`${url}: ${answer.statusCode}`)),
      );
      answer.on('error', fail);
    });
    request.on('error', fail);
  });
}
