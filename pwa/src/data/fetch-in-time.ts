/** `fetch` that gives up on a connection that has gone silent. Used by every call of the app and the service worker. */

/** Longest silence, before the headers and between two pieces of the body. */
export const MAX_SILENCE_MS = 20_000;

const WITHOUT_BODY = [204, 205, 304];

/** The server went silent. A TypeError, as `fetch` throws for a broken connection. */
export class Stalled extends TypeError {
  override name = 'Stalled';
}

/**
 * Like `fetch`, but aborts with Stalled when no byte arrives for `maxSilenceMs`. A slow body takes as long as it needs,
 * and a reader that pauses is not timed.
 */
export async function fetchInTime(
  input: RequestInfo | URL,
  init: RequestInit = {},
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<Response> {
  const abort = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
  });
  aborted.catch(() => undefined);
  // AbortSignal.any is missing in Chrome 111
  const caller = init.signal ?? (input instanceof Request ? input.signal : undefined);
  const passOn = () => abort.abort(caller?.reason);
  if (caller?.aborted) throw caller.reason;
  caller?.addEventListener('abort', passOn);

  /** Waits for `work`; the abort wins also over a `fetch` that ignores its signal. */
  async function inTime<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => abort.abort(new Stalled(`No byte for ${maxSilenceMs} ms`)), maxSilenceMs);
    try {
      return await Promise.race([work, aborted]);
    } finally {
      clearTimeout(timer);
    }
  }

  const end = () => caller?.removeEventListener('abort', passOn);
  try {
    const response = await inTime(fetch(input, { ...init, signal: abort.signal }));
    // Chromium gives a 204 a body, which `new Response` does not take
    if (!response.body || WITHOUT_BODY.includes(response.status)) {
      end();
      return response;
    }
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        try {
          const { done, value } = await inTime(reader.read());
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (error) {
    end();
    throw error;
  }
}
