import { Caller, NoQuery, OpsAnswer, OpsController, OpsOperation, ReasonBody } from '@constancia/http';
import { DependencyUnavailable } from '@constancia/problem-json';
import { type OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { HINTED, LAG } from './platform-answers.ts';
import { QUEUES, type QueueName } from '@constancia/contracts';
import { Database, recordAct } from '@constancia/persistence';
import { Queues } from '@constancia/queue';

const ENDPOINTS = 10_000;

interface LagRow {
  due: number;
  oldest_due_seconds: number;
  delivering: number;
  work: { kind: string; open: number; oldest_seconds: number }[];
}

/** How much waits, and a nudge for what does. */
@OpsController('ops')
export class LagActions {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Get('lag')
  @OpsOperation('what waits: deliveries, the platform’s own work, hints in the queues')
  @OpsAnswer(200, LAG)
  async showLag(@Query() _query: NoQuery) {
    const [[row], queues] = await Promise.all([
      this.database.query<LagRow>('select * from platform.ops_lag()'),
      Promise.all((Object.keys(QUEUES) as QueueName[]).map((name) => this.queue(name))),
    ]);
    const { due, oldest_due_seconds, delivering, work } = row as LagRow;
    const outbox = { due, oldest_due_seconds: Math.round(oldest_due_seconds), delivering };
    return { outbox, work: work.map((one) => ({ module: 'platform', ...one })), queues };
  }

  private async queue(name: QueueName) {
    try {
      const [depth, oldest] = await Promise.all([this.queues.depth(name), this.queues.oldestWaitingSeconds(name)]);
      return { queue: name, ...depth, oldest_waiting_seconds: Math.round(oldest) };
    } catch {
      throw new DependencyUnavailable(
        'The queue cannot be reached: hints are lost meanwhile, work is not. See /readyz.',
      );
    }
  }

  @Post('outbox/kick')
  @HttpCode(200)
  @OpsOperation('hint at everything that is due')
  @OpsAnswer(200, HINTED)
  async wakeDueDeliveries(@Body() { reason }: ReasonBody, @Caller() { name: operator }: OpsCaller) {
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
    return { hinted: due.length };
  }
}
