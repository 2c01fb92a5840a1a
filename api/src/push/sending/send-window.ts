/** Limits the pushes that were handed to a push service and are not yet recorded in the database. */

/** Maximum of unrecorded pushes of one process: after a process is killed, at most these are sent again. */
export const MAX_UNRECORDED = 10;
/** Maximum at one of several push services, so that a service without answers leaves room for the others. */
const MAX_PER_HOST = 8;

/** A period of sending to one push service, shared by its workers. */
export interface SendSession {
  readonly host: string;
  /** Nothing more is sent to the host in this session. */
  isClosed: boolean;
  unrecorded: number;
}

interface WaitingSend {
  session: SendSession;
  batch: number;
  start: (mayStart: boolean) => void;
}

/** A counting semaphore with a limit for the process and a limit for each of several sessions. */
export class SendWindow {
  private readonly sessions = new Set<SendSession>();
  private unrecorded = 0;
  private waiting: WaitingSend[] = [];

  /** Counts a session until `end`. */
  begin(session: SendSession): void {
    this.sessions.add(session);
  }

  end(session: SendSession): void {
    this.sessions.delete(session);
    this.startWaiting();
  }

  /**
   * Resolves with true when the caller may send one push, and with false when the session is closed. Earlier batches go
   * first: while one is sent, the next one is read and sealed.
   */
  acquire(session: SendSession, batch: number): Promise<boolean> {
    return new Promise((start) => {
      this.waiting.push({ session, batch, start });
      this.waiting.sort((one, other) => one.batch - other.batch);
      this.startWaiting();
    });
  }

  /** Releases `count` pushes: they are recorded, or were not accepted. */
  release(session: SendSession, count = 1): void {
    this.unrecorded -= count;
    session.unrecorded -= count;
    this.startWaiting();
  }

  /** Ends the sending of a session; the callers that wait for it get false. */
  close(session: SendSession): void {
    session.isClosed = true;
    this.startWaiting();
  }

  private startWaiting(): void {
    const maxPerSession = this.sessions.size > 1 ? MAX_PER_HOST : MAX_UNRECORDED;
    this.waiting = this.waiting.filter(({ session, start }) => {
      if (session.isClosed) {
        start(false);
        return false;
      }
      if (this.unrecorded >= MAX_UNRECORDED || session.unrecorded >= maxPerSession) return true;
      this.unrecorded += 1;
      session.unrecorded += 1;
      start(true);
      return false;
    });
  }
}
