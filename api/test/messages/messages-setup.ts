/** Users, visitors and staff who write to each other. */
import { randomUUID } from 'node:crypto';
import type { DeskThread } from '@nivida/contract/desk/messages';
import { actHeaders } from '../desk/staff-session.ts';
import type { SignedInAccount } from '../support/accounts.ts';
import type { TestApp } from '../support/start-app.ts';

/** Calls of the API, by account or without one. */
export function callsOf(app: TestApp) {
  async function call(method: 'GET' | 'POST', url: string, account?: SignedInAccount, payload?: object) {
    const headers = account?.headers ?? {};
    const reply = await app.app.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: reply.statusCode, json: reply.body ? reply.json() : undefined, headers: reply.headers };
  }

  /** An act of the desk, by default with a new key. */
  async function act(staff: SignedInAccount, url: string, body: object, key?: string) {
    const payload = { reason: 'answers the mail', ...body };
    const reply = await app.app.inject({ method: 'POST', url, headers: actHeaders(staff, key), payload });
    return { status: reply.statusCode, json: reply.json() };
  }

  return {
    call,
    act,
    /** Begins a thread. Returns its id. */
    async begin(account: SignedInAccount, text = 'The file does not open.', changes: object = {}): Promise<string> {
      const id = randomUUID();
      const body = { id, subject: 'My documents', message: { id: randomUUID(), text }, ...changes };
      const { status, json } = await call('POST', '/api/support/threads', account, body);
      if (status !== 200) throw new Error(`${status} ${json.message}`);
      return id;
    },
    say: (account: SignedInAccount, thread: string, text: string, id: string = randomUUID()) =>
      call('POST', `/api/support/threads/${thread}/messages`, account, { id, text }),
    changes: (account: SignedInAccount, after = '') =>
      call('GET', `/api/support/threads?after=${encodeURIComponent(after)}`, account),
    async readAtDesk(staff: SignedInAccount, thread: string): Promise<DeskThread> {
      return (await call('GET', `/api/desk/messages/${thread}`, staff)).json;
    },
    answer: (
      staff: SignedInAccount,
      thread: string,
      version: number,
      text = 'Try it again now.',
      key?: string,
      attachmentIds: string[] = [],
    ) =>
      act(
        staff,
        `/api/desk/messages/${thread}/answer`,
        { messageId: key ?? randomUUID(), text, attachmentIds, version },
        key,
      ),
    /** Uploads a file in one part. */
    async upload(
      account: SignedInAccount,
      content: Buffer,
      { id = randomUUID() as string, name = 'a.pdf', part = '0/1' } = {},
    ) {
      const reply = await app.app.inject({
        method: 'PUT',
        url: `/api/support/attachments/${id}/${part}?name=${encodeURIComponent(name)}`,
        headers: { ...account.headers, 'content-type': 'application/octet-stream' },
        payload: content,
      });
      return { id, status: reply.statusCode, json: reply.json() };
    },
  };
}

/** A visitor's message of the contact form. */
export const CONTACT_FORM = {
  name: 'Ravi Negi',
  email: 'ravi@negi.example',
  phone: '9816012345',
  company: 'Negi Works',
  subject: 'Tenders of Kinnaur',
  message: 'Do you also list the works of the forest division?',
  agreeToTerms: true,
};
