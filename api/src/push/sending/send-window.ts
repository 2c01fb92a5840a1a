/** Limits the pushes that were sent and are not yet recorded in the database. */

/** Maximum unrecorded pushes of one process. If the process is killed, at most these are sent twice. */
export const MAX_UNRECORDED = 10;
/** Maximum per push service when there are several, so that a service without answers leaves room for others. */
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

/** A counting semaphore with a limit for the process and, if there are several sessions, one for each. */
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
   * Resolves with true when the caller may send one push, and with false when the session is closed. Earlier batches come
   * first, so that the next batch is read and sealed while one is sent.
   */
  acquire(session: SendSession, batch: number): Promise<boolean> {
    return new Promise((start) => {
      this.waiting.push({ session, batch, start });
      this.waiting.sort((one, other) => one.batch - other.batch);
      this.startWaiting();
    });
  }

  /** Releases the places of `count` pushes that are recorded or were not accepted. */
  release(session: SendSession, count = 1): void {
    this.unrecorded -= count;
    session.unrecorded -= count;
    this.startWaiting();
  }

  /** Closes a session. Its waiting callers get false. */
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
