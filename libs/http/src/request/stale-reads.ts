import type { StaleRead } from '@constancia/persistence';
import type { Logger, Metrics } from '@constancia/telemetry';
import type { Reply, Request } from './request-state.ts';

const CURRENT = /(?:^|[\s,])(?:no-cache|max-age=0)(?:$|[\s,])/i;

/** Whether the caller wants the store as it is now (RFC 9111, section 5.2.1). */
export function wantsCurrent({ headers }: Request): boolean {
  return CURRENT.test(headers['cache-control'] ?? '');
}

/** Follows the reads of requests that may be answered from a replica. */
export class StaleReads {
  private readonly reads;

  constructor(
    metrics: Metrics,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.reads = metrics.counter('replica_reads_total', 'Reads that a replica may answer, by what came of it', [
      'result',
    ]);
  }

  of({ constancia: state }: Request): StaleRead {
    return {
      began: (ageMs) => {
        this.reads.inc({ result: 'replica' });
        state.readAsOf = Math.min(state.readAsOf ?? Infinity, performance.now() - ageMs);
      },
      fellBack: (reason, err) => {
        this.reads.inc({ result: reason });
        if (err !== undefined) this.logger.warn({ err }, 'the replica is unavailable: the primary is read');
      },
    };
  }
}

/** Says in an answer how old it is, where that is known. */
export function showAge({ constancia: state }: Request, reply: Reply): void {
  if (state?.readAsOf === undefined || reply.statusCode >= 300) return;
  reply.header('age', Math.ceil((performance.now() - state.readAsOf) / 1_000));
}
