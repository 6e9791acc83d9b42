import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { PRESENTATION_SECONDS, PRICE } from '@constancia/contracts';
import { CreditLedger } from '@constancia/credit-ledger';
import {
  ApiProblems,
  CurrentTenant,
  IdempotencyKey,
  Idempotent,
  REPLAYED_HEADER,
  RequireScope,
  sendStored,
  type Tenant,
} from '@constancia/http';
import { requestFingerprint } from '@constancia/idempotency';
import { uuidOf, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { DependencyUnavailable, UnknownReference, ValidationError } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { MoreThan } from 'typeorm';
import { ReturnOrigins } from '../../billing/topup/return-origins.ts';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { AppRequests } from '../openid4vp/app-requests.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { DEFAULT_CLAIMS } from './discover.ts';
import { WalletDiscovery } from './discovery.entity.ts';
import type { CertifiedSigner } from '../token-keys/token-keys.ts';
import { consentAddress, insertPresentation } from '../presentations/new-presentation.ts';
import { PresentationSweep } from './presentation-sweep.ts';
import { RequestedPresentationView } from '../presentations/presentation-view.ts';
import { MAX_AGE_DAYS, RequestPresentationBody } from '../presentations/request-bodies.ts';

/** POST /v1/wallet/request-presentation: asks a person for what they keep. Nobody is looked up before it is answered. */
@Controller('v1/wallet/request-presentation')
@ApiTags('Reuse')
export class RequestPresentation {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly ledger: CreditLedger,
    private readonly answers: IdentityAnswers,
    private readonly origins: ReturnOrigins,
    private readonly apps: AppRequests,
    private readonly sweep: PresentationSweep,
  ) {}

  @Post()
  @RequireScope('identity:write')
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    operationId: 'requestPresentation',
    summary: 'Ask a person for a kept verification',
    description:
      `Holds ${PRICE.kycReuse} credits, which are spent when the person approves and come back otherwise, when the request expires. The answer ` +
      'is the same for every person: one who has no wallet, does not want to be asked, or declines, is one who does not answer.',
  })
  @ApiCreatedResponse({ type: RequestedPresentationView, headers: REPLAYED_HEADER })
  @ApiProblems(
    'validation-error', 'bad-request', 'insufficient-acai', 'not-found', 'conflict', 'unprocessable-entity', 'dependency-unavailable',
  ) // prettier-ignore
  async handle(
    @CurrentTenant() tenant: Tenant,
    @IdempotencyKey() key: string | undefined,
    @Body() body: RequestPresentationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    checkAddressee(body);
    if (body.return_url !== undefined) await this.origins.requireUrl(tenant.id, body.return_url);
    const request =
      key === undefined ? undefined : { key, fingerprint: requestFingerprint({ ...ROUTE, body: { ...body } }) };
    const signer = body.channel === 'registered_contact' ? null : await this.signer();
    const { answer, replayed } = await this.database.tenant(tenant.id, (tx) =>
      this.answers.once(tx, tenant.id, request, {
        status: 201,
        secret: true,
        work: () => this.request(tx, tenant, body, signer),
      }),
    );
    this.sweep.wake(); // may be lost: it runs every few seconds
    return sendStored(reply, answer, replayed);
  }

  /** Of requests to wallet apps; null while KMS cannot be reached: the person can answer on the page. */
  private signer(): Promise<CertifiedSigner | null> {
    return this.apps.signer().catch((error: unknown) => {
      if (error instanceof DependencyUnavailable) return null;
      throw error;
    });
  }

  /** @param signer of requests to wallet apps; null: it cannot be answered by one */
  private async request(
    tx: Tx,
    tenant: Tenant,
    body: RequestPresentationBody,
    signer: CertifiedSigner | null,
  ): Promise<RequestedPresentationView> {
    const discovery = await discoveryOf(tx, tenant.id, body.discovery_id);
    const id = uuidv7();
    const token = body.channel === 'registered_contact' ? null : randomBytes(32).toString('base64url');
    const asked = {
      ...{ id, tenant_name: tenant.displayName, ...askedFor(body, discovery) },
      expires_at: new Date(Date.now() + (body.ttl_s ?? PRESENTATION_SECONDS) * 1_000),
    };
    const app = signer && (await this.apps.create(signer, asked));
    const row = await insertPresentation(tx, this.ledger, {
      ...asked,
      ...app?.row,
      tenant_id: tenant.id,
      channel: body.channel,
      document_index: discovery?.document_index ?? null,
      return_url: body.return_url ?? null,
      external_ref: body.external_ref ?? null,
      metadata: body.metadata ?? {},
      token_hash: token === null ? null : hashSecret(token),
    });
    const consentUrl = token === null ? null : consentAddress(this.config.personAddress, token);
    return { ...RequestedPresentationView.of(row, null), consent_url: consentUrl, qr_uri: app?.uri ?? null };
  }
}

const ROUTE = { method: 'POST', route: '/v1/wallet/request-presentation' };

function checkAddressee({ discovery_id, wallet_hint, channel, purpose }: RequestPresentationBody): void {
  const fault = (pointer: string, code: string, detail: string) => new ValidationError([{ pointer, code, detail }]);
  if (discovery_id !== undefined && wallet_hint !== undefined) {
    throw fault('/wallet_hint', 'not_allowed', 'Send discovery_id or wallet_hint, not both.');
  }
  if (discovery_id !== undefined) return;
  if (wallet_hint === undefined) throw fault('/discovery_id', 'required', 'Send discovery_id, or wallet_hint.');
  if (channel === 'registered_contact') {
    throw fault('/discovery_id', 'required', 'Channel registered_contact asks the person of a discovery.');
  }
  if (purpose === undefined) throw fault('/purpose', 'required', 'Add this member: there is no discovery that has it.');
}

/** What is asked for: what the request says, else what its discovery does. */
function askedFor(body: RequestPresentationBody, discovery: WalletDiscovery | null) {
  const none = { purpose: '', claims: [...DEFAULT_CLAIMS], max_age_days: MAX_AGE_DAYS }; // checkAddressee: then the body has a purpose
  const { purpose, claims, max_age_days } = discovery ?? none;
  return {
    purpose: body.purpose ?? purpose,
    claims: body.claims ?? claims,
    max_age_days: body.max_age_days ?? max_age_days,
  };
}

async function discoveryOf(tx: Tx, tenantId: string, id: string | undefined): Promise<WalletDiscovery | null> {
  if (id === undefined) return null;
  const uuid = uuidOf('wdi', id);
  const known = { tenant_id: tenantId, expires_at: MoreThan(new Date()) };
  const row = uuid && (await tx.manager.findOneBy(WalletDiscovery, { id: uuid, ...known }));
  if (!row) throw new UnknownReference('/discovery_id', 'There is no discovery with this id, or it has expired.');
  return row;
}
