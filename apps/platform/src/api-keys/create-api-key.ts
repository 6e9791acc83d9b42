import { AuditLog, generateApiKey, principalId } from '@constancia/auth';
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
} from '@constancia/http';
import { Idempotency, requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../config.ts';
import { NewApiKeyBody } from './api-key-body.ts';
import { KeyView, NewKeyView } from './api-key-view.ts';
import { auditedKey, keyObject, MAX_KEYS, requireGivable, requireKey } from './api-keys.ts';
import { expiryOf } from './expiry.ts';

/** POST /v1/api-keys: one more key, with scopes of its creator. */
@Controller('v1/api-keys')
@ApiTags('API keys')
export class CreateApiKey {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly idempotency: Idempotency,
  ) {}

  @Post()
  @RequireScope('keys:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      `Up to ${MAX_KEYS} per tenant; expired ones count until they are deleted. The key is shown in this answer only, and again in a ` +
      'repetition with the same Idempotency-Key. The owner gets a mail.',
  })
  @ApiCreatedResponse({ type: NewKeyView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'forbidden', 'conflict', 'state-conflict', 'unprocessable-entity')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: NewApiKeyBody,
    @Res({ passthrough: true }) reply: FastifyReply,
    @ClientIp() origin: string,
    @IdempotencyKey() idempotencyKey?: string,
  ): Promise<string> {
    requireGivable(principal, body.scopes);
    const expiresAt = expiryOf(body.expires_at);
    const { tenant } = principal;
    // Who asked is part of the request: another key's repetition would get a key that it may not give.
    const identity = { method: 'POST', route: '/v1/api-keys', body: { ...body, by: principalId(principal) } };
    const fingerprint = requestFingerprint(identity);
    const request = idempotencyKey === undefined ? undefined : { key: idempotencyKey, fingerprint };
    const { answer, replayed } = await this.database.tenant(tenant.id, (tx) => {
      const work = () => this.create(tx, { principal, body, expiresAt, origin });
      return this.idempotency.once(tx, tenant.id, request, { status: 201, work, secret: true });
    });
    return sendStored(reply, answer, replayed);
  }

  private async create(
    tx: Tx,
    { principal, body, expiresAt, origin }: { principal: Principal; body: NewApiKeyBody; expiresAt: Date | null; origin: string }, // prettier-ignore
  ): Promise<NewKeyView> {
    const { tenant } = principal;
    const id = uuidv7();
    const { plaintext, hash, prefix } = generateApiKey(this.config.environment);
    const created_by = { kind: principal.kind, id: principalId(principal), name: principal.name };
    const key = { ...body, id, prefix, expires_at: expiresAt, created_by };
    const [made] = await tx.query<{ created: boolean }>('select platform.create_api_key($1, $2, $3, $4) as created', [
      ...[tenant.id, JSON.stringify(key), hash, MAX_KEYS],
    ]);
    if (!made?.created) throw new StateConflict(`A tenant has at most ${MAX_KEYS} API keys: delete one first.`);
    const row = await requireKey(tx, tenant.id, id);
    const entry = { action: 'api_key.created', object: keyObject(id), after: auditedKey(row) } as const;
    await AuditLog.record(tx, { principal, ...entry, origin });
    return { ...KeyView.of(row), api_key: plaintext };
  }
}
