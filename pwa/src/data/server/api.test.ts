import { setLanguage } from '@nivida/contract/i18n';
import { TenderListResponse, TenderResponse } from '@nivida/contract/tenders/tender';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { currentTime } from '../clock.ts';
import { chooseLanguage } from '../device/chosen-language.ts';
import { clearSession, currentOwner, SessionNotStoredError } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import {
  api,
  apiOf,
  assertOnline,
  errorMessage,
  failureText,
  fieldErrorsOf,
  isConnectionError,
  isNotFoundError,
  serverMessageOr,
} from './api.ts';
import { useReachability } from './reachability.ts';

const json = (body: unknown, status = 200) => Response.json(body, { status });

/** The error of a call when the network responds like this. */
async function failure(
  answer: () => Response,
  schema: typeof TenderListResponse | typeof TenderResponse = TenderListResponse,
) {
  const call = api.get('api/tenders', { prefix: 'http://localhost/', retry: 0, fetch: async () => answer() });
  return call.json(schema).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function unreachable(): Response {
  throw new TypeError('Failed to fetch');
}

test('a call names the language of the page, and the one chosen on this device only when one was chosen', async () => {
  onTestFinished(() => {
    setLanguage('en');
    localStorage.clear();
  });
  const named = async () => {
    let headers = new Headers();
    const fetch = async (request: Request | URL | RequestInfo) => {
      headers = (request as Request).headers;
      return json({});
    };
    await api.get('api/tenders', { prefix: 'http://localhost/', fetch });
    return [headers.get('accept-language'), headers.get('chosen-language')];
  };
  setLanguage('hi');
  expect(await named()).toEqual(['hi', null]);
  chooseLanguage('en');
  expect(await named()).toEqual(['hi', 'en']);
});

describe('the message of a failed list', () => {
  test.each<[string, () => Response, string]>([
    [
      "the server's message",
      () => json({ code: 'INVALID', message: 'page must be a whole number', requestId: 'r' }, 400),
      'page must be a whole number',
    ],
    ['a reply without a message', () => json({ code: 'INTERNAL' }, 500), 'Server error occurred'],
    ['a reply with an empty message', () => json({ message: '' }, 400), 'Server error occurred'],
    ["a proxy's page", () => new Response('<h1>Error</h1>', { status: 500 }), 'Server error occurred'],
    ['no reply', unreachable, 'No response from server. Please check your internet connection.'],
    ['an empty body', () => new Response(''), 'No tenders data received from server'],
    ['null', () => json(null), 'No tenders data received from server'],
    ['an object without tenders', () => json({}), 'No tenders data received from server'],
    [
      'a page of a captive portal',
      () => new Response('<p>Sign in</p>'),
      'Failed to fetch tenders. Please try again later.',
    ],
    [
      'tenders of another shape',
      () =>
        json({
          ...{ tenders: 3, data: 3, total: 3, total_full: 3, page: 1, limit: 10, filter: {} },
          ...{ place: null, conditions: [], showing_for: '', words: [], demonstration: false },
        }),
      'Failed to fetch tenders. Please try again later.',
    ],
  ])('%s', async (_what, answer, message) => {
    const error = await failure(answer);
    expect(
      errorMessage(error, 'Failed to fetch tenders. Please try again later.', 'No tenders data received from server'),
    ).toBe(message);
  });

  test('an empty response without its own text has a message for it', async () => {
    expect(errorMessage(await failure(() => new Response('')), 'Failed')).toBe('No data received from server');
  });

  test('a response that takes too long counts as no response', async () => {
    const call = api.get('api/tenders', {
      prefix: 'http://localhost/',
      retry: 0,
      timeout: 1,
      fetch: () => new Promise<Response>(() => undefined),
    });
    const error = await call.json().catch((thrown: unknown) => thrown);
    expect(errorMessage(error, 'Failed')).toBe('No response from server. Please check your internet connection.');
  });
});

describe('an answer of a gateway', () => {
  /** The error of a call that the network answers like this, and how often it was sent. */
  async function gatewayFailure(method: 'get' | 'post', answer: () => Response) {
    let count = 0;
    vi.stubGlobal('fetch', async (input: Request | string) => {
      if ((input instanceof Request ? input.url : input).endsWith('/api/health')) return answer();
      count += 1;
      return answer();
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      useReachability.setState({ status: 'reachable' });
    });
    const error: unknown = await api('api/tenders', {
      ...{ method, prefix: 'http://localhost/' },
      retry: { delay: () => 0 },
    })
      .json()
      .catch((thrown: unknown) => thrown);
    return { error, count };
  }
  const NO_RESPONSE = 'No response from server. Please check your internet connection.';

  test.each([
    ['a page with 502', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['a page with 503', () => new Response('<h1>Service Unavailable</h1>', { status: 503 })],
    ['nothing with 504', () => new Response('', { status: 504 })],
    ['data of its own with 503', () => json({ message: 'no healthy upstream' }, 503)],
  ])('that is %s means that the server was not reached', async (_what, answer) => {
    for (const [method, times] of [
      ['get', 3],
      ['post', 1],
    ] as const) {
      const { error, count } = await gatewayFailure(method, answer);
      expect([isConnectionError(error), errorMessage(error, 'Failed'), count]).toEqual([true, NO_RESPONSE, times]);
    }
  });

  test.each([502, 503])('that passes on our own error with %i shows its message', async (status) => {
    const busy = { code: 'INTERNAL', message: 'The server is busy. Please try again.', requestId: 'r' };
    for (const method of ['get', 'post'] as const) {
      const { error } = await gatewayFailure(method, () => json(busy, status));
      expect([isConnectionError(error), errorMessage(error, 'Failed')]).toEqual([false, busy.message]);
    }
  });
});

test('only a 404 means that the tender does not exist', async () => {
  const gone = await failure(
    () => json({ code: 'NOT_FOUND', message: 'No such tender', requestId: 'r' }, 404),
    TenderResponse,
  );
  const broken = await failure(() => json({ code: 'INTERNAL', message: 'x', requestId: 'r' }, 500), TenderResponse);
  expect(isNotFoundError(gone)).toBe(true);
  expect(isNotFoundError(broken)).toBe(false);
  expect(isNotFoundError(await failure(unreachable, TenderResponse))).toBe(false);
});

test('a read is repeated after a gateway error, and not after a rejection', async () => {
  const asked = async (status: number) => {
    let count = 0;
    const fetch = async () => {
      count += 1;
      return count === 1 ? json({}, status) : json({});
    };
    await api
      .get('api/regions', { prefix: 'http://localhost/', retry: { delay: () => 0 }, fetch })
      .json()
      .catch(() => undefined);
    return count;
  };
  expect(await asked(502)).toBe(2);
  expect(await asked(503)).toBe(2);
  expect(await asked(504)).toBe(2);
  expect(await asked(500)).toBe(1);
  expect(await asked(429)).toBe(1);
});

test.each([
  ['a read is made three times at most', 'get', true, 3],
  ['a write is made once', 'post', true, 1],
  ['a read of a device that is offline is made once', 'get', false, 1],
] as const)('%s while the gateway fails or the connection breaks', async (_what, method, onLine, expected) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(onLine);
  for (const answer of [async () => json({}, 502), () => Promise.reject(new TypeError('Failed to fetch'))]) {
    let count = 0;
    const fetch = () => {
      count += 1;
      return answer();
    };
    const retry = { delay: () => 0 };
    await api('api/regions', { method, prefix: 'http://localhost/', retry, fetch }).catch(() => undefined);
    expect(count).toBe(expected);
  }
  vi.restoreAllMocks();
});

describe('a body that comes slowly', () => {
  const TEXT = '{"states":[]}';
  /** Calls a server that sends one byte each `ms`; resolves with the data or the name of the error. */
  async function trickle(method: 'get' | 'post', ms: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    let sent = 0;
    vi.stubGlobal('fetch', async () => {
      const body = new ReadableStream<Uint8Array>(
        {
          pull: (controller) =>
            new Promise<void>((resolve) =>
              setTimeout(() => {
                if (sent < TEXT.length) controller.enqueue(new TextEncoder().encode(TEXT[sent]));
                else controller.close();
                sent += 1;
                resolve();
              }, ms),
            ),
        },
        { highWaterMark: 0 },
      );
      return new Response(body);
    });
    const call = api('api/regions', { method, prefix: 'http://localhost/' })
      .json()
      .catch((error: Error) => error.name);
    await vi.advanceTimersByTimeAsync(200_000);
    return call;
  }

  test('is read to its end when it takes a minute and a half', async () => {
    expect(await trickle('get', 6_000)).toEqual({ states: [] });
  });

  test('ends after two minutes', async () => {
    expect(await trickle('get', 10_000)).toBe('TimeoutError');
  });

  test('that answers a write ends after twenty seconds', async () => {
    expect(await trickle('post', 6_000)).toBe('TimeoutError');
  });
});

test('each answer sets the clock by the time of the server', async () => {
  const call = (date: string) =>
    api.get('api/site', { prefix: 'http://localhost/', fetch: async () => Response.json({}, { headers: { date } }) });
  try {
    await call('Wed, 15 Apr 2099 10:00:00 GMT');
    expect(currentTime().getUTCFullYear()).toBe(2099);
  } finally {
    await call(new Date().toUTCString());
  }
  expect(Math.abs(currentTime().getTime() - Date.now())).toBeLessThan(60_000);
});

test('why a form could not be sent is the reason of the server, of the connection or of the device', async () => {
  const refused = await failure(() => json({ message: 'Too weak', fields: { email: 'Unknown', otp: 7 } }, 400));
  const broken = await failure(unreachable);
  const page = await failure(() => new Response('<p>Sign in</p>', { status: 400 }));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const offline = (() => {
    try {
      return assertOnline();
    } catch (error) {
      return error;
    }
  })();
  vi.restoreAllMocks();
  const texts = [refused, broken, page, offline, new SessionNotStoredError('x'), new Error('x')];
  expect(texts.map((error) => failureText(error, 'Failed to sign in'))).toEqual([
    'Too weak',
    'Failed to sign in. No response from server. Please check your internet connection.',
    'Failed to sign in',
    'You are offline: this needs a connection. Nothing was sent.',
    'This browser does not store the sign-in. Allow this site to store data.',
    'Failed to sign in',
  ]);
  expect([refused, broken, page].map((error) => serverMessageOr(error, 'Failed'))).toEqual([
    ...['Too weak', 'Failed', 'Failed'],
  ]);
  expect([refused, broken, page].map(fieldErrorsOf)).toEqual([{ email: 'Unknown' }, {}, {}]);
  expect([refused, broken, page, new TypeError('x'), new Error('x')].map(isConnectionError)).toEqual([
    ...[false, true, false, true, false],
  ]);
});

describe('the session of a call', () => {
  afterEach(clearSession);

  /** Makes a call that gets a 401; returns its authorization header. */
  async function refused(
    path: string,
    options: { headers?: Record<string, string>; context?: object } = {},
  ): Promise<string | null> {
    let carried: string | null = null;
    const fetch = async (request: Request) => {
      carried = request.headers.get('authorization');
      return json({ code: 'UNAUTHENTICATED', message: 'Please sign in', requestId: 'r' }, 401);
    };
    await api
      .post(path, { prefix: 'http://localhost/', fetch: fetch as typeof globalThis.fetch, ...(options as object) })
      .catch(() => undefined);
    return carried;
  }

  test('its token is sent, and nothing when signed out', async () => {
    expect(await refused('api/bookmarks/sync')).toBeNull();
    signInForTest('7', 'abc');
    expect(await refused('api/bookmarks/sync')).toBe('Bearer abc');
  });

  test('its token is not sent by a call of the signed-out device', async () => {
    signInForTest('7', 'abc');
    expect(await refused('api/contact', { context: { withoutSession: true } })).toBeNull();
    expect(currentOwner()).toBe('7');
  });

  test.each(['api/bookmarks/sync', 'api/auth/refresh', 'api/auth/change-password', 'api/me'])(
    'a 401 of %s to a call with the token ends it',
    async (path) => {
      signInForTest('7', 'abc');
      await refused(path);
      expect(currentOwner()).toBe('');
    },
  );

  test.each([
    'auth/login',
    'api/auth/login',
    'api/auth/register',
    'api/auth/otp/generate',
    'api/auth/otp/verify',
    'auth/forgot-password',
    'auth/reset-password',
    'api/auth/google',
  ])('a 401 of %s is about the typed data and does not end it', async (path) => {
    signInForTest('7', 'abc');
    await refused(path);
    expect(currentOwner()).toBe('7');
  });

  test('a 401 to a call with its own authorization does not end it', async () => {
    signInForTest('7', 'abc');
    expect(await refused('api/push/subscriptions', { headers: { authorization: 'Device xyz' } })).toBe('Device xyz');
    expect(currentOwner()).toBe('7');
  });

  test.each(['get', 'post'] as const)('a %s that began for one user is sent in no other session', async (method) => {
    const sent: (string | null)[] = [];
    const call = () =>
      apiOf('7')(`api/notices`, {
        method,
        prefix: 'http://localhost/',
        fetch: async (request) => {
          sent.push((request as Request).headers.get('authorization'));
          return json({});
        },
      }).json();
    signInForTest('7', 'abc');
    await call();
    signInForTest('8', 'def');
    await expect(call()).rejects.toThrow('The session ended before the request');
    clearSession();
    await expect(call()).rejects.toThrow('The session ended before the request');
    expect(sent).toEqual(['Bearer abc']);
  });

  test('a read that is repeated after a broken connection is not sent with the token of a session that ended', async () => {
    signInForTest('7', 'abc');
    let sent = 0;
    const call = api.get('api/notices', {
      prefix: 'http://localhost/',
      fetch: async () => {
        sent += 1;
        clearSession();
        throw new TypeError('Failed to fetch');
      },
    });
    await expect(call.json()).rejects.toThrow('The session ended before the request');
    expect(sent).toBe(1);
  });

  test('a read that its screen gives up is aborted', async () => {
    let network: AbortSignal | null | undefined;
    vi.stubGlobal('fetch', (_request: Request, init: RequestInit) => {
      network = init.signal;
      return new Promise(() => undefined);
    });
    signInForTest('7', 'abc');
    const screen = new AbortController();
    const call = api.get('api/me', { prefix: 'http://localhost/', signal: screen.signal }).catch(() => 'ended');
    await expect.poll(() => network?.aborted).toBe(false);
    screen.abort();
    // At once, not by the deadline of a silent call.
    expect(network?.aborted).toBe(true);
    expect(await call).toBe('ended');
    vi.unstubAllGlobals();
  });

  describe('that waits while the user signs out', () => {
    /** Signs out before the network responds to a call. Returns whether its network request was aborted, and its error. */
    async function signOutDuring(method: 'get' | 'post') {
      let isAborted = false;
      vi.stubGlobal('fetch', (_request: Request, { signal }: RequestInit) => {
        return new Promise<Response>((resolve) => {
          signal?.addEventListener('abort', () => {
            isAborted = true;
          });
          clearSession();
          if (!isAborted) resolve(json({ _id: '7' }));
        });
      });
      signInForTest('7', 'abc');
      const error = await api('api/me', { method, prefix: 'http://localhost/' }).then(
        () => undefined,
        (reason: Error) => reason.name,
      );
      vi.unstubAllGlobals();
      return { isAborted, error };
    }

    test('a read is given up, because its token has ended', async () => {
      expect(await signOutDuring('get')).toEqual({ isAborted: true, error: 'SessionEndedError' });
    });

    test('a write goes on, because aborting it would not undo it', async () => {
      expect(await signOutDuring('post')).toEqual({ isAborted: false, error: undefined });
    });
  });
});
