/** Limits the pushes that were sent and are not yet recorded in the database. */

/** Maximum share of one push service, so that a service without answers leaves room for others. */
const MAX_HOST_SHARE = 0.8;

/** A period of sending to one push service, shared by its workers. One service has one session at a time. */
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

/** A counting semaphore with a limit for the process and one for each session. */
export class SendWindow {
  /** Maximum unrecorded pushes of one push service. */
  readonly maxPerHost: number;
  private unrecorded = 0;
  private waiting: WaitingSend[] = [];

  /** `size`: maximum unrecorded pushes of this process. If the process is killed, at most these are sent twice. */
  constructor(private readonly size: number) {
    this.maxPerHost = Math.floor(size * MAX_HOST_SHARE);
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
    this.waiting = this.waiting.filter(({ session, start }) => {
      if (session.isClosed) {
        start(false);
        return false;
      }
      if (this.unrecorded >= this.size || session.unrecorded >= this.maxPerHost) return true;
      this.unrecorded += 1;
      session.unrecorded += 1;
      start(true);
      return false;
    });
  }
}
