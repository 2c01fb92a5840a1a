/** Delayed responses, for callers with a timeout. */
import type { ServerResponse } from 'node:http';

const HANG_MS = 30_000;

export class HangingResponses {
  private readonly releases = new Set<() => void>();

  /** Resolves after 30 s, when the caller has hung up, or by `release`. */
  hang(reply: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.releases.delete(release);
        resolve();
      };
      const timer = setTimeout(release, HANG_MS);
      this.releases.add(release);
      reply.once('close', release);
    });
  }

  /** Releases all responses. */
  release(): void {
    for (const release of [...this.releases]) release();
  }
}
