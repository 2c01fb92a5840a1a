/** The mail server and the push service of a benchmark's processes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type MailServer, startMailServer } from '../../../test/support/mail-server.ts';
import { type PushService, startPushService } from '../../../test/support/push-service.ts';
import type { Workspace } from '../workspace.ts';

export interface OutsideServices {
  mails: MailServer;
  pushes: PushService;
  /** Their addresses, for the processes. */
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Starts both in this process. */
export async function startOutsideServices({ folder }: Workspace): Promise<OutsideServices> {
  const mails = await startMailServer();
  const pushes = await startPushService();
  const trusted = join(folder, 'certificate.pem');
  await writeFile(trusted, pushes.certificate);
  return {
    mails,
    pushes,
    env: { MAIL_URL: mails.url, PUSH_ALLOWED_HOSTS: pushes.host, NODE_EXTRA_CA_CERTS: trusted },
    async close() {
      await pushes.close();
      await mails.close();
    },
  };
}
