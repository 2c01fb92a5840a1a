/** Limits the pushes that were handed to a push service and are not yet recorded in the database. */

/** Maximum of unrecorded pushes of one process: a killed process sends at most these again. */
export const MAX_UNRECORDED = 10;
/** Maximum at one of several push services, so that a service without answers leaves room for the others. */
const MAX_PER_HOST = 8;

/** One visit to a push service, shared by the lanes that send to it. */
export interface SendVisit {
  readonly host: string;
  /** Nothing more is sent to the host during this visit. */
  isClosed: boolean;
  unrecorded: number;
}

interface WaitingSend {
  visit: SendVisit;
  batch: number;
  start: (mayStart: boolean) => void;
}

/** A counting semaphore with a limit for the process and a limit for each of several visits. */
export class SendWindow {
  private readonly visits = new Set<SendVisit>();
  private unrecorded = 0;
  private waiting: WaitingSend[] = [];

  /** Counts a visit until `end`. */
  begin(visit: SendVisit): void {
    this.visits.add(visit);
  }

  end(visit: SendVisit): void {
    this.visits.delete(visit);
    this.startWaiting();
  }

  /**
   * Resolves with true when the caller may send one push, and with false when the visit is closed. Earlier batches go
   * first: while one is sent, the next one is read and sealed.
   */
  acquire(visit: SendVisit, batch: number): Promise<boolean> {
    return new Promise((start) => {
      this.waiting.push({ visit, batch, start });
      this.waiting.sort((one, other) => one.batch - other.batch);
      this.startWaiting();
    });
  }

  /** Releases `count` pushes: they are recorded, or were not accepted. */
  release(visit: SendVisit, count = 1): void {
    this.unrecorded -= count;
    visit.unrecorded -= count;
    this.startWaiting();
  }

  /** Ends the sending of a visit; the callers that wait for it get false. */
  close(visit: SendVisit): void {
    visit.isClosed = true;
    this.startWaiting();
  }

  private startWaiting(): void {
    const maxPerVisit = this.visits.size > 1 ? MAX_PER_HOST : MAX_UNRECORDED;
    this.waiting = this.waiting.filter(({ visit, start }) => {
      if (visit.isClosed) {
        start(false);
        return false;
      }
      if (this.unrecorded >= MAX_UNRECORDED || visit.unrecorded >= maxPerVisit) return true;
      this.unrecorded += 1;
      visit.unrecorded += 1;
      start(true);
      return false;
    });
  }
}
