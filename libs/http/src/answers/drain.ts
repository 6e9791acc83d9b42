import type { ServerResponse } from 'node:http';

/** Whether a process is going away: readiness says no, and every answer closes its connection. */
export class DrainState {
  draining = false;
  /** Answers that are not out yet. */
  readonly inFlight = new Set<ServerResponse>();
  /** When the last of the others was out, as performance.now() has it. */
  lastOutAt = -Infinity;

  begin(): void {
    this.draining = true;
    for (const response of this.inFlight) {
      if (!response.headersSent) response.setHeader('connection', 'close');
    }
  }
}
