/** A client of the public API for programs, in one file beside its generated types. It needs `fetch` only. */
import type { ApiPaths } from './paths.ts';

type PathName = keyof ApiPaths;
type QueryOf<Path extends PathName> = ApiPaths[Path]['query'];

export interface ClientOptions {
  /** Origin of the installation, such as https://nivida.example. */
  origin: string;
  /** A key from Settings (`nva_…`). Without one the limits of the network address count. */
  key?: string;
  fetch?: typeof fetch;
}

/** Arguments of a call: `path` for the parameters of the path, `query` for those of the query. */
export interface CallOptions<Path extends PathName> {
  path?: ApiPaths[Path]['path'];
  query?: QueryOf<Path>;
  /** The ETag of an earlier answer. */
  ifNoneMatch?: string;
  signal?: AbortSignal;
}

/** An answer. `data` is undefined when nothing has changed since the given ETag. */
export interface ClientAnswer<Path extends PathName> {
  data: ApiPaths[Path]['answer'] | undefined;
  etag: string | null;
  /** Calls that are left in the nearest window of the key; null without a key. */
  remaining: number | null;
}

/** The server refused a call. `retryAfter`: seconds to wait, if it says so. */
export class ClientError extends Error {
  override name = 'ClientError';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfter: number | null,
  ) {
    super(message);
  }
}

const NOT_MODIFIED = 304;

/** A client of one installation. */
export function createNividaClient({ origin, key, fetch: send = fetch }: ClientOptions) {
  return {
    /** Makes a call. Throws ClientError for a refusal, and the errors of `fetch`. */
    async get<Path extends PathName>(path: Path, options: CallOptions<Path> = {}): Promise<ClientAnswer<Path>> {
      const response = await send(callAddress(origin, path, options), {
        headers: {
          accept: '*/*',
          ...(key && { authorization: `Key ${key}` }),
          ...(options.ifNoneMatch && { 'if-none-match': options.ifNoneMatch }),
        },
        ...(options.signal && { signal: options.signal }),
      });
      const etag = response.headers.get('etag');
      const remaining = numberOrNull(response.headers.get('ratelimit-remaining'));
      if (response.status === NOT_MODIFIED) return { data: undefined, etag, remaining };
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const body: unknown = isJson ? await response.json() : await response.text();
      if (!response.ok) {
        const { code = 'INTERNAL', message = response.statusText } = (isJson ? body : {}) as Partial<ClientError>;
        throw new ClientError(
          response.status,
          String(code),
          message,
          numberOrNull(response.headers.get('retry-after')),
        );
      }
      return { data: body as ApiPaths[Path]['answer'], etag, remaining };
    },
  };
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

function callAddress<Path extends PathName>(
  origin: string,
  path: Path,
  { path: values, query }: CallOptions<Path>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((values as Record<string, unknown> | undefined)?.[name] ?? '')),
  );
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const each of [value].flat()) if (each !== undefined) params.append(name, String(each));
  return `${origin}${filled}${params.size > 0 ? `?${params}` : ''}`;
}
