import { type ConsentClaim, shape } from '@constancia/contracts';
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
import { typeId, uuidv7 } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';
import { documentErrors } from '@constancia/reference-data';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { IdentityDatabase } from '../identity-database.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { WalletIndex } from '../wallet/wallet-index.ts';
import { WalletDiscovery } from './discovery.entity.ts';
import { DiscoverBody, MAX_AGE_DAYS } from '../presentations/request-bodies.ts';

const MINUTES = 15;
export const DEFAULT_CLAIMS: readonly ConsentClaim[] = ['full_name'];

export class DiscoveryView {
  @ApiProperty(shape.id('wdi'))
  discovery_id: string;

  @ApiProperty({ enum: ['accepted'], description: 'Whether or not the person has a wallet.' })
  status: 'accepted';

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

/** POST /v1/wallet/discover: names a person whom the tenant wants to ask. It writes, and looks nobody up. */
@Controller('v1/wallet/discover')
@ApiTags('Reuse')
export class Discover {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly index: WalletIndex,
    private readonly answers: IdentityAnswers,
  ) {}

  @Post()
  @RequireScope('identity:write')
  @HttpCode(202)
  @Idempotent()
  @ApiOperation({
    operationId: 'discoverWallet',
    summary: 'Name the person whom you want to ask for a kept verification',
    description:
      'The answer is the same, after the same work, for every person: it never says whether they have a wallet. The document is turned into ' +
      'a keyed digest before anything is stored. Use the id with requestPresentation within 15 minutes.',
  })
  @ApiAcceptedResponse({ type: DiscoveryView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'bad-request', 'conflict', 'unprocessable-entity', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @IdempotencyKey() key: string | undefined,
    @Body() body: DiscoverBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const errors = documentErrors(body);
    if (errors.length > 0) throw new ValidationError(errors);
    const { document_type: type, country, document_number: number, ...rest } = body;
    const document = await this.index.document({ type, country, number });
    const seen = { ...rest, document: document.toString('hex') };
    const request = key === undefined ? undefined : { key, fingerprint: requestFingerprint({ ...ROUTE, body: seen }) };
    const { answer, replayed } = await this.database.tenant(tenant.id, (tx) =>
      this.answers.once(tx, tenant.id, request, {
        status: 202,
        work: async (): Promise<DiscoveryView> => {
          const id = uuidv7();
          const expiresAt = new Date(Date.now() + MINUTES * 60_000);
          await tx.manager.insert(WalletDiscovery, {
            id,
            tenant_id: tenant.id,
            document_index: document,
            purpose: body.purpose,
            claims: body.claims ?? [...DEFAULT_CLAIMS],
            max_age_days: body.max_age_days ?? MAX_AGE_DAYS,
            expires_at: expiresAt,
          });
          return { discovery_id: typeId('wdi', id), status: 'accepted', expires_at: expiresAt.toISOString() };
        },
      }),
    );
    return sendStored(reply, answer, replayed);
  }
}

const ROUTE = { method: 'POST', route: '/v1/wallet/discover' };
