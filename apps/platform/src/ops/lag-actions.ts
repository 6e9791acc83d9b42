import { QUEUES, type QueueName } from '@constancia/contracts';
import { type Database, recordAct } from '@constancia/persistence';
import type { Queues } from '@constancia/queue';
import { type OpsAction, type OpsAnswer, OpsFields, OpsRefusal, type OpsRequest } from '@constancia/telemetry';

const ENDPOINTS = 10_000;

interface LagRow {
  due: number;
  oldest_due_seconds: number;
  delivering: number;
  work: { kind: string; open: number; oldest_seconds: number }[];
}

/** How much waits, and a nudge for what does. */
export class LagActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  get actions(): OpsAction[] {
    return [
      {
        method: 'GET',
        path: /^\/ops\/lag$/,
        about: 'what waits: deliveries, the platform’s own work, hints in the queues',
        handle: (request) => this.lag(request),
      },
      {
        method: 'POST',
        path: /^\/ops\/outbox\/kick$/,
        about: 'hint at everything that is due',
        handle: (request) => this.kick(request),
      },
    ];
  }

  private async lag({ query }: OpsRequest): Promise<OpsAnswer> {
    OpsFields.ofQuery(query, []);
    const [[row], queues] = await Promise.all([
      this.database.query<LagRow>('select * from platform.ops_lag()'),
      Promise.all((Object.keys(QUEUES) as QueueName[]).map((name) => this.queue(name))),
    ]);
    const { due, oldest_due_seconds, delivering, work } = row as LagRow;
    const outbox = { due, oldest_due_seconds: Math.round(oldest_due_seconds), delivering };
    return { status: 200, body: { outbox, work: work.map((one) => ({ module: 'platform', ...one })), queues } };
  }

  private async queue(name: QueueName) {
    try {
      const [depth, oldest] = await Promise.all([this.queues.depth(name), this.queues.oldestWaitingSeconds(name)]);
      return { queue: name, ...depth, oldest_waiting_seconds: Math.round(oldest) };
    } catch {
      throw new OpsRefusal(503, 'The queue cannot be reached: hints are lost meanwhile, work is not. See /readyz.');
    }
  }

  private async kick({ body, operator }: OpsRequest): Promise<OpsAnswer> {
    const reason = (await OpsFields.ofBody(body, ['reason'])).reason();
    const due = await this.database.transaction(async (tx) => {
      const rows = await tx.query<{ endpoint_id: string }>('select endpoint_id from platform.due_endpoints($1)', [
        ENDPOINTS,
      ]);
      await recordAct(tx, { type: 'outbox.kicked', operator, data: { hinted: rows.length, reason } });
      return rows;
    });
    for (const { endpoint_id } of due) {
      this.queues.hint('webhook-delivery', { v: 1, endpoint_id }, `ep-${endpoint_id}`);
    }
    return { status: 200, body: { hinted: due.length } };
  }
}
