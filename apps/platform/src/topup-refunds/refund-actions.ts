import { LedgerReader } from '@constancia/credit-ledger';
import {
  answer,
  ApiOptional,
  beforeId,
  Caller,
  IsLine,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
  pathUuid,
  ReasonBody,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { OpsCaller } from '@constancia/telemetry';
import { Body, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { IsInt, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Topups } from '../billing/topup/topups.ts';
import { ASKED_REFUND, REFUND, type RefundRow, refundView, SENT_REFUND } from './refund-rows.ts';
import { TopupRefunds } from './topup-refunds.ts';

/** Far more than any payment: guards against a typing error. */
const MAX_COP = 1_000_000_000;

class RefundBody extends ReasonBody {
  @ApiOptional({ description: 'Whole pesos. Without it: everything that is left of the payment.' })
  @IsInt()
  @Min(1)
  @Max(MAX_COP)
  amount_cop?: number;

  @ApiOptional({ description: 'Needed when several payments of the top-up hold money.' })
  @IsLine(64)
  payment_id?: string;

  @ApiOptional({ description: 'The ticket: refunded once only. Needed for a second refund of the same top-up.' })
  @IsLine(100)
  reference?: string;
}

/** Refunds of payments. They count against OPS_GRANT_LIMIT; beyond it one operator requests and another one approves. */
@OpsController('ops')
export class RefundActions {
  constructor(
    private readonly database: Database,
    private readonly refunds: TopupRefunds,
    private readonly topups: Topups,
    private readonly ledger: LedgerReader,
  ) {}

  @Post('topups/:id/refund')
  @OpsOperation(
    'give a payment of a top-up back, once per reference; above OPS_GRANT_LIMIT in 24 hours another operator has to approve',
    { role: 'grant' },
  )
  @OpsAnswer(200, SENT_REFUND, 'The provider has given it back; the same request again answers the same.')
  @OpsAnswer(202, ASKED_REFUND, 'Nothing is given back yet: another operator has to approve.')
  async refundTopup(
    @Param('id') id: string,
    @Body() { amount_cop, payment_id, reference, reason }: RefundBody,
    @Caller() caller: OpsCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const topupId = pathUuid('top', id);
    const [owner] = await this.database.query<{ tenant_id: string }>('select tenant_id from platform.topup_owner($1)', [
      topupId,
    ]);
    if (!owner) throw new NotFound('There is no top-up with this id.');
    const order = {
      ...{ tenantId: owner.tenant_id, topupId, amountCop: amount_cop, paymentId: payment_id, reason },
      reference: reference ?? payment_id ?? '',
    };
    const decided = await this.refunds.decide(order, caller);
    if (decided.status === 'pending') {
      void reply.code(202);
      return { pending: refundView(await this.refunds.find(decided.id)) };
    }
    void reply.code(200);
    return this.sent(await this.refunds.find(decided.id));
  }

  @Get('topup-refunds')
  @OpsOperation('refunds that wait for an approval or for the provider, newest first')
  @OpsAnswer(200, answer.page(REFUND))
  async listRefunds(@Query() query: OpsPageQuery) {
    const { limit } = query;
    const rows = await this.refunds.rows(null, beforeId(query) ?? null, limit + 1);
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: data.map(refundView), next_cursor };
  }

  @Post('topup-refunds/:id/approve')
  @HttpCode(200)
  @OpsOperation('give back what another operator requested', { role: 'grant' })
  @OpsAnswer(200, SENT_REFUND)
  async approveRefund(@Param('id') id: string, @Body() { reason }: ReasonBody, @Caller() caller: OpsCaller) {
    return this.sent(await this.refunds.approve(id, reason, caller));
  }

  @Post('topup-refunds/:id/withdraw')
  @HttpCode(200)
  @OpsOperation('end a pending refund without giving anything back', { role: 'grant' })
  @OpsAnswer(200, REFUND)
  async withdrawRefund(@Param('id') id: string, @Body() { reason }: ReasonBody, @Caller() caller: OpsCaller) {
    return refundView(await this.refunds.withdraw(id, reason, caller.name));
  }

  private async sent(refund: RefundRow) {
    if (refund.status === 'sending') await this.refunds.send(refund);
    const topup = await this.topups.find(refund.tenant_id, refund.topup_id);
    const { available } = await this.ledger.balance(refund.tenant_id);
    return {
      refund: refundView(await this.refunds.find(refund.id)),
      topup_status: topup.status,
      available,
    };
  }
}
