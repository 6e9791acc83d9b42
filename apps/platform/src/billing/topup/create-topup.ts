import { AuditLog } from '@constancia/auth';
import {
  ApiProblems,
  ClientIp,
  CurrentPrincipal,
  Idempotent,
  IdempotencyKey,
  type Principal,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
  type Tenant,
} from '@constancia/http';
import { Idempotency, type IdempotentRequest, requestFingerprint, type StoredResponse } from '@constancia/idempotency';
import { typeId, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PaymentProviderUnavailable } from '@constancia/problem-json';
import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../../config.ts';
import { PaymentProvider, type Preference } from '../provider/payment-provider.ts';
import { type Quote, Quotes } from './quotes.ts';
import { ReturnOrigins } from './return-origins.ts';
import { CHECK_EVERY_MS } from './settle-payment.ts';
import { TopupBody } from './topup-body.ts';
import { TopupView } from './topup-view.ts';
import { topupOf } from './topups.ts';

/** How long a checkout can be opened; what is begun in it may be paid later, such as a bank transfer. */
const EXPIRES_MS = 30 * 60_000;

interface Checkout {
  id: string;
  quote: Quote;
  preference: Preference;
  expiresAt: Date;
}

/** POST /v1/billing/topup: a checkout at the payment provider, at a price that holds even if it is paid later. */
@Controller('v1/billing/topup')
@ApiTags('Billing')
export class CreateTopup {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
    private readonly provider: PaymentProvider,
    private readonly quotes: Quotes,
    private readonly origins: ReturnOrigins,
  ) {}

  @Post()
  @RequireScope('billing:topup')
  @Idempotent()
  @ApiOperation({
    operationId: 'createTopup',
    summary: 'Create a top-up',
    description:
      'Send the payer to `init_point`. Credits are added once the provider confirms the payment (event `credits.balance.credited`), ' +
      'never by where the payer returns to. The quote stays the one of this answer. A sandbox credits simulated credits.',
  })
  @ApiCreatedResponse({ type: TopupView, headers: REPLAYED_HEADER })
  @ApiProblems(
    'validation-error', 'bad-request', 'payload-too-large', 'unsupported-media-type', 'conflict', 'unprocessable-entity',
    'payment-provider-unavailable', 'dependency-unavailable',
  ) // prettier-ignore
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: TopupBody,
    @ClientIp() origin: string,
    @Res({ passthrough: true }) reply: FastifyReply,
    @IdempotencyKey() key?: string,
  ): Promise<string> {
    const { tenant } = principal;
    const request = key === undefined ? undefined : requestOf(key, body);
    const earlier = request && (await this.earlierAnswer(tenant, request));
    if (earlier) return sendStored(reply, earlier, true);
    const checkout = await this.checkoutOf(tenant, body);
    const { answer, replayed } = await this.database.tenant(tenant.id, (tx) => {
      const work = () => this.insert(tx, { principal, origin }, body, checkout);
      return this.idempotency.once(tx, tenant.id, request, { status: 201, work });
    });
    return sendStored(reply, answer, replayed);
  }

  private earlierAnswer(tenant: Tenant, request: IdempotentRequest): Promise<StoredResponse | null> {
    return this.database.tenant(tenant.id, (tx) => this.idempotency.find(tx, tenant.id, request));
  }

  /**
   * Before the row, so that no row names a checkout that does not exist. A checkout whose row is not written (the store failed, or another
   * request with this key was faster) is given to nobody and expires.
   */
  private async checkoutOf(tenant: Tenant, body: TopupBody): Promise<Checkout> {
    if (!this.provider.isConfigured) {
      throw new PaymentProviderUnavailable('This deployment takes no payments: it has no payment provider.');
    }
    const quote = await this.quotes.of(body);
    if (body.return_url !== undefined) await this.origins.requireUrl(tenant.id, body.return_url);
    const id = uuidv7();
    const reference = typeId('top', id);
    const expiresAt = new Date(Date.now() + EXPIRES_MS);
    const back = (outcome: string) => `${this.config.apiUrl}/v1/billing/topups/${reference}/return?outcome=${outcome}`;
    const preference = await this.provider.createPreference({
      externalReference: reference,
      title: `Constancia: ${quote.amountCredits} créditos`,
      amountCop: quote.amountCop,
      notificationUrl: `${this.config.apiUrl}/v1/billing/callbacks/${this.provider.name}`,
      returnUrls: { success: back('approved'), failure: back('failure'), pending: back('pending') },
      expiresAt,
    });
    return { id, quote, preference, expiresAt };
  }

  private async insert(
    tx: Tx,
    { principal, origin }: { principal: Principal; origin: string },
    { return_url, external_ref, metadata }: TopupBody,
    { id, quote, preference, expiresAt }: Checkout,
  ): Promise<TopupView> {
    await tx.query(INSERT, [
      id,
      principal.tenant.id,
      this.provider.name,
      preference.id,
      preference.initPoint,
      quote.amountCop,
      quote.amountCredits,
      quote.bonusCredits,
      quote.bundle?.code ?? null,
      quote.bundle?.bonusPercent ?? 0,
      quote.usdMicros,
      quote.rate.value,
      quote.rate.validFrom,
      quote.rate.source,
      return_url ?? null,
      external_ref ?? null,
      JSON.stringify(metadata ?? {}),
      new Date(Date.now() + CHECK_EVERY_MS),
      expiresAt,
    ]);
    const object = { kind: 'topup', id: typeId('top', id) };
    const after = { amount_cop: quote.amountCop, amount_credits: quote.amountCredits };
    await AuditLog.record(tx, { principal, action: 'topup.created', object, after, origin });
    return TopupView.of(await topupOf(tx, principal.tenant.id, id));
  }
}

const INSERT = `
  insert into platform.topup (id, tenant_id, provider, preference_id, init_point, amount_cop, amount_credits, bonus_credits, bundle,
                              bonus_percent, usd_micros, trm, trm_valid_for, trm_source, return_url, external_ref, metadata, check_at,
                              expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`;

function requestOf(key: string, body: TopupBody): IdempotentRequest {
  const identity = { method: 'POST', route: '/v1/billing/topup', body: { ...body } };
  return { key, fingerprint: requestFingerprint(identity) };
}
