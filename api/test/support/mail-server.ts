/** A real SMTP server on this machine. It replies as the test configures and stores accepted mails. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** Reply to a recipient: `ok`, or the code of a refusal. */
export type SmtpReply = 'ok' | 451 | 550;

/** `url` is for MAIL_URL. `answers` are used in turn, then `ok`. */
export interface MailServer {
  url: string;
  received: Email[];
  replies: SmtpReply[];
  /** Never confirms the next mail that it accepts; resolves when it has it. */
  stall(): Promise<void>;
  /** Calls back for each new connection. */
  onConnection(call: () => void): void;
  /** Closes the port until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address. Confirms each mail after `delayMs`. */
export async function startMailServer(delayMs = 0): Promise<MailServer> {
  const received: Email[] = [];
  const answers: SmtpReply[] = [];
  let stalled: (() => void) | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const answer = answers.shift() ?? 'ok';
      if (answer === 'ok') return done();
      // Like real servers, the reply repeats the address.
      done(Object.assign(new Error(`<${address}> is not taken`), { responseCode: answer }));
    },
    onData(stream, _session, done) {
      PostalMime.parse(new Response(stream as never).body as never).then((mail) => {
        received.push(mail);
        if (!stalled) return void setTimeout(done, delayMs);
        stalled();
        stalled = undefined;
      }, done);
    },
  });
  // A client that is killed during a mail closes the connection.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    replies: answers,
    stall: () =>
      new Promise((done) => {
        stalled = done;
      }),
    onConnection(call) {
      server.server.on('connection', call);
    },
    async pause() {
      const closed = once(server.server, 'close');
      server.server.close();
      for (const connection of server.connections) connection.close();
      await closed;
    },
    async resume() {
      server.server.listen(port, '127.0.0.1');
      await once(server.server, 'listening');
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(done));
      for (const connection of server.connections) connection.close();
      await closed;
    },
  };
}
