/** Sends a file with its progress, which `fetch` does not report. */
import { currentLanguage } from '@nivida/contract/i18n';
import { currentSession } from '../../../data/session.ts';
import { withPasskey } from '../data/desk-call.ts';

/** The server refused a call. */
export class RefusedUploadError extends Error {
  override name = 'RefusedUploadError';

  constructor(readonly data: { code: string; message: string }) {
    super(data.message);
  }
}

/** What the server answered; `status` is 0 when the connection broke. */
interface Reply {
  status: number;
  body: unknown;
}

function post(path: string, file: File, onProgress: (bytes: number) => void): Promise<Reply> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.responseType = 'json';
    request.setRequestHeader('authorization', `Bearer ${currentSession()?.token ?? ''}`);
    request.setRequestHeader('accept-language', currentLanguage());
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onloadend = () => resolve({ status: request.status, body: request.response });
    request.send(file);
  });
}

/**
 * Posts a file and returns the answer. It waits for the passkey where one is needed. Throws RefusedUploadError with the
 * server's text, and TypeError when the connection breaks.
 */
export const sendFile = (path: string, file: File, onProgress: (bytes: number) => void): Promise<unknown> =>
  withPasskey(async () => {
    const { status, body } = await post(path, file, onProgress);
    if (status === 200) return body;
    const { code, message } = (body ?? {}) as { code?: string; message?: string };
    // The answer of a proxy has no code. What the server could not do now can be sent again.
    if (code === undefined || message === undefined || status === 429 || status >= 500)
      throw new TypeError('Failed to fetch');
    throw new RefusedUploadError({ code, message });
  });
