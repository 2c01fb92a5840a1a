import type { Email } from 'postal-mime';
import { expect, test } from 'vitest';
import type { ServerProcesses } from '../../bench/measure/harness/server-processes.ts';
import { AcknowledgedActions, signUp } from '../../bench/measure/harness/workload.ts';

test('a sign-up whose request for a code is refused was promised no code and ends there', async () => {
  const acknowledged = new AcknowledgedActions();
  const mails: Email[] = [];
  const paths: string[] = [];
  const request = async (path: string, { body }: RequestInit) => {
    paths.push(path);
    if (path !== '/api/auth/otp/generate')
      return Response.json({ code: 'INVALID', message: 'There is no code for this address' }, { status: 400 });
    // The first attempt may have mailed a code, although its response was lost.
    mails.push({ to: [{ address: JSON.parse(String(body)).email }], text: '402917' } as Email);
    // A refusal sets the cookie of a new device too.
    return Response.json({ code: 'TOO_MANY' }, { status: 429, headers: { 'set-cookie': 'device=new; Path=/' } });
  };
  const servers = { request } as unknown as ServerProcesses;

  await signUp({ servers, mails, sandboxPort: 0, clients: [], tenderIds: [] }, acknowledged);

  expect(paths).toEqual(['/api/auth/otp/generate']);
  expect([...acknowledged.codes]).toEqual([]);
  expect(acknowledged.rejected).toEqual([]);
});
