/** A browser as the server sees it: it returns the cookies that it received. */
import type { TestApp } from './start-app.ts';

/** A response with its JSON and its Set-Cookie values. */
export interface BrowserResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  json: any;
  text: string;
  headers: Record<string, string>;
  setCookies: string[];
}

/** One browser; `headers` are sent with every request, such as the user's bearer token. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly app: TestApp,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** Sends a request, with `payload` as JSON. */
  async send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: unknown): Promise<BrowserResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.headers, ...(cookie && { cookie }) };
    const reply = await this.app.app.inject({ method, url, headers, payload: payload as object });
    for (const { name, value } of reply.cookies) this.cookies.set(name, value);
    const isJson = String(reply.headers['content-type'] ?? '').includes('json');
    return {
      status: reply.statusCode,
      json: isJson && reply.body ? JSON.parse(reply.body) : undefined,
      text: reply.body,
      headers: reply.headers as Record<string, string>,
      setCookies: [reply.headers['set-cookie'] ?? []].flat(),
    };
  }
}
