import { ApiPublicProblems, IgnoreBody, Public } from '@constancia/http';
import { BadRequest, NotFound, Unauthorized } from '@constancia/problem-json';
import { Logger, Metrics } from '@constancia/telemetry';
import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { PaymentProvider } from '../provider/payment-provider.ts';
import { LookUpPayments } from './look-up-payments.ts';

/**
 * POST /v1/billing/callbacks/{provider}: the provider says that a payment changed. Its body is not signed and never read; what the signed
 * address names is looked up, and only the answer moves credits. So nobody gains by replaying a callback, however old.
 */
@Controller('v1/billing/callbacks')
@ApiTags('Billing')
export class ReceiveCallback {
  private readonly callbacks;

  constructor(
    private readonly provider: PaymentProvider,
    private readonly lookUp: LookUpPayments,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.callbacks = metrics.counter('payment_callbacks_total', 'Callbacks of the payment provider', ['outcome']);
  }

  @Post(':provider')
  @Public()
  @IgnoreBody()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'receivePaymentCallback',
    summary: 'Take a callback of the payment provider',
    description:
      'For the payment provider alone: signed with a secret that it shares with this deployment. The body is not read.',
  })
  @ApiOkResponse({ description: 'Taken.' })
  @ApiPublicProblems('bad-request', 'unauthorized', 'not-found', 'payload-too-large', 'payment-provider-unavailable')
  async handle(@Param('provider') provider: string, @Req() request: FastifyRequest): Promise<void> {
    if (provider !== this.provider.name || !this.provider.isConfigured) throw new NotFound();
    const { headers, query } = request;
    const verdict = this.provider.verifyCallback({ headers, query: query as Record<string, unknown> });
    if (verdict.kind === 'malformed') {
      this.callbacks.inc({ outcome: 'malformed' });
      throw new BadRequest(verdict.detail);
    }
    if (verdict.kind === 'forged') {
      this.callbacks.inc({ outcome: 'forged' });
      this.logger.warn({ name: this.provider.name }, 'a callback has a signature of somebody else');
      throw new Unauthorized('The signature of this callback is not valid.');
    }
    if (verdict.kind === 'ignored') {
      this.callbacks.inc({ outcome: 'ignored' });
      return;
    }
    // A stale one may be a late repetition or a replay: the look-up is right in either case.
    await this.settle(verdict.paymentId, verdict.stale ? 'stale' : 'accepted');
  }

  private async settle(paymentId: string, outcome: 'stale' | 'accepted'): Promise<void> {
    try {
      const settled = await this.lookUp.ofPayment(paymentId);
      this.callbacks.inc({ outcome: settled === null ? 'unknown' : outcome });
    } catch (error) {
      this.callbacks.inc({ outcome: 'failed' });
      if (outcome === 'accepted') throw error; // 503: the provider sends it again
      this.logger.warn({ err: error }, 'the payment of a stale callback was not looked up: reconciliation will');
    }
  }
}
