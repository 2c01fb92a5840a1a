/** `fetch` that aborts a silent connection. All calls of the app and the service worker use it. */

/** Maximum silence, before the headers and between two chunks of the body. */
export const MAX_SILENCE_MS = 20_000;

/** Observes the silence of a connection before it is given up. */
interface SilenceObserver {
  /** The silence (milliseconds) after which `onSilence` is called. */
  afterMs: number;
  /**
   * Called at the start of a silence. Returns a function that is called at its end, by a byte or an error.
   */
  onSilence: () => () => void;
  onByte: () => void;
}

const WITHOUT_BODY = [204, 205, 304];

/** The server went silent. It is a TypeError, like the one that `fetch` throws for a broken connection. */
export class StalledError extends TypeError {
  override name = 'StalledError';
}

/**
 * Like `fetch`, but aborts with StalledError when no byte arrives for `maxSilenceMs`. A slow body has no time
 * limit, and pauses of the reader do not count. A response that `check` rejects counts as no response.
 */
export async function fetchWithTimeout(
  input: RequestInfo | URL,
  init: RequestInit = {},
  maxSilenceMs = MAX_SILENCE_MS,
  observer?: SilenceObserver,
  check?: (response: Response) => Promise<Response>,
): Promise<Response> {
  const abort = new AbortController();
  const abortedPromise = new Promise<never>((_resolve, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
  });
  abortedPromise.catch(() => undefined);
  // AbortSignal.any is missing in Chrome 111.
  const callerSignal = init.signal ?? (input instanceof Request ? input.signal : undefined);
  const forwardAbort = () => abort.abort(callerSignal?.reason);
  if (callerSignal?.aborted) throw callerSignal.reason;
  callerSignal?.addEventListener('abort', forwardAbort);

  /** Waits for `work`. An abort rejects, even when `fetch` ignores its signal. */
  async function withTimeout<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(() => abort.abort(new StalledError(`No byte for ${maxSilenceMs} ms`)), maxSilenceMs);
    let onSilenceEnd: (() => void) | undefined;
    const startSilence = () => {
      onSilenceEnd = observer?.onSilence();
    };
    const observing = observer && setTimeout(startSilence, observer.afterMs);
    try {
      const result = await Promise.race([work, abortedPromise]);
      observer?.onByte();
      return result;
    } finally {
      clearTimeout(timer);
      clearTimeout(observing);
      onSilenceEnd?.();
    }
  }

  const removeListener = () => callerSignal?.removeEventListener('abort', forwardAbort);
  try {
    const response = await withTimeout(fetch(input, { ...init, signal: abort.signal }).then(check));
    // Chromium gives a 204 a body, which `new Response` rejects.
    if (!response.body || WITHOUT_BODY.includes(response.status)) {
      removeListener();
      return response;
    }
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        try {
          const { done, value } = await withTimeout(reader.read());
          if (!done) return controller.enqueue(value);
          removeListener();
          controller.close();
        } catch (error) {
          removeListener();
          controller.error(error);
        }
      },
      cancel(reason) {
        removeListener();
        return reader.cancel(reason);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  } catch (error) {
    removeListener();
    throw error;
  }
}
