import { PRICE } from '@constancia/contracts';
import { ChargedWork, type WorkUnit } from '@constancia/credit-ledger';
import { hintDeliveries } from '@constancia/events';
import {
  actingOf,
  ApiProblems,
  BODY_PROBLEMS,
  CurrentPrincipal,
  IdempotencyKey,
  Idempotent,
  JsonBodyLimit,
  pointerTo,
  REPLAYED_HEADER,
  type Principal,
  sendStored,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { type IdempotentRequest, requestFingerprint } from '@constancia/idempotency';
import { referenced, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Circuits } from '../circuits/circuits.ts';
import { SigningConfig } from '../config.ts';
import { DryRun, fieldIn } from '../dry-run.ts';
import { type GivenValues, givenDrawings, isGiven } from '../envelope-values/given-values.ts';
import { MailRoom } from '../mails/mail-room.ts';
import { SenderOwners } from '../mails/sender-owners.ts';
import { SignerMailLoop } from '../mails/signer-mail-loop.ts';
import { accessCodeDigest } from './access-codes.ts';
import { CreateEnvelopeBody } from '../envelope-orders/create-envelope-body.ts';
import type { Circuit } from '../circuits/circuit.entity.ts';
import { checkOrder, EnvelopeUnits } from './envelope-units.ts';
import { CreatedEnvelopeView } from './envelope-view.ts';
import type { NewEnvelope } from './new-envelopes.ts';
import { notPublished } from '../envelope-orders/not-published.ts';

/** Values at their limits, every character written as an escaped surrogate pair. */
const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';

/** POST /v1/envelopes: send a circuit to people, each with a link of their own, and charge for it. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class CreateEnvelope {
  constructor(
    private readonly circuits: Circuits,
    private readonly units: EnvelopeUnits,
    private readonly work: ChargedWork,
    private readonly queues: Queues,
    private readonly mails: SignerMailLoop,
    private readonly owners: SenderOwners,
    private readonly room: MailRoom,
    private readonly dryRun: DryRun,
    private readonly config: SigningConfig,
  ) {}

  @Post()
  @RequireScope('signing:write')
  @JsonBodyLimit(BODY_LIMIT_BYTES)
  @Idempotent()
  @ApiOperation({
    operationId: 'createEnvelope',
    summary: 'Send a circuit to its signers',
    description:
      `Debits ${PRICE.envelope} credits. The answer is the only one that shows the links: with \`notify\` the service mails them, the ` +
      'signers of the lowest order first and the others when it is their turn. Until the owner of the tenant has verified their ' +
      'address, mails to other addresses wait. One address gets at most 10 invitations and reminders from a tenant in 24 hours, and a ' +
      'sandbox tenant sends at most 500 mails: beyond that 429, and nothing is sent or charged. With an Idempotency-Key the request ' +
      'can be repeated safely for 24 hours and answers the same links.',
  })
  @ApiCreatedResponse({ type: CreatedEnvelopeView, description: 'The envelope is sent.', headers: REPLAYED_HEADER })
  @ApiProblems(
    ...BODY_PROBLEMS,
    'insufficient-acai',
    'not-found',
    'state-conflict',
    'conflict',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async handle(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() key: string | undefined,
    @Body() body: CreateEnvelopeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedEnvelopeView | string> {
    const { tenant } = principal;
    const request = key ? { key, fingerprint: await fingerprintOf(body, key) } : undefined;
    const unknown = 'There is no circuit with this circuit_id.';
    const circuit = await referenced('/circuit_id', unknown, this.circuits.find(tenant.id, body.circuit_id));
    if (circuit.status !== 'published') return this.refused(tenant, circuit, request, reply);
    const { given, errors } = checkOrder(body, circuit, this.config.phoneCountryCodes);
    if (errors.length > 0) throw new ValidationError(errors);
    await this.drawOnce(circuit, given, body.locale);

    const { by } = actingOf(undefined, principal);
    const unprovenOwner = await this.owners.unprovenAddress(tenant.id);
    const { unit, event, made } = await this.units.of({ tenantId: tenant.id, circuit, by, unprovenOwner }, body, given);
    const replayed = await this.commit({ ...unit, idempotency: request && idempotencyOf(made, request) });
    if (replayed) return sendStored(reply, replayed, true);
    hintDeliveries(this.queues, [event]);
    this.mails.wake();
    return made.view;
  }

  /** Throws ValidationError for a value that cannot be drawn on the document. */
  private async drawOnce(circuit: Circuit, given: GivenValues, locale: CreateEnvelopeBody['locale']): Promise<void> {
    if (!isGiven(given)) return;
    const { base_pdf_key, base_pdf_sha256, fields } = circuit;
    if (base_pdf_key === null || base_pdf_sha256 === null) throw new Error('a published circuit has a base PDF');
    const drawings = givenDrawings(given, circuit, locale ?? 'es-CO');
    await this.dryRun.of({ base_pdf_key, base_pdf_sha256 }, drawings, (sentence) =>
      pointerTo('/values', fieldIn(sentence, fields)?.key ?? ''),
    );
  }

  private async commit(unit: WorkUnit) {
    try {
      return await this.work.commit(unit);
    } catch (error) {
      throw this.room.refusalOf(error) ?? error;
    }
  }

  /** A circuit that is published no more still answers a repetition of what was done while it was. */
  private async refused(
    tenant: Tenant,
    { status }: Circuit,
    request: IdempotentRequest | undefined,
    reply: FastifyReply,
  ): Promise<string> {
    const earlier = request && (await this.work.earlierAnswer(tenant.id, request));
    if (earlier) return sendStored(reply, earlier, true);
    throw notPublished(status);
  }
}

/** The stored answer, which names the signers and shows their links: sealed with the envelope's key. */
function idempotencyOf({ view, key }: NewEnvelope, request: IdempotentRequest): WorkUnit['idempotency'] {
  const response = { status: 201, headers: { 'Content-Type': JSON_TYPE }, body: JSON.stringify(view) };
  return { ...request, response, ...(key ? { owner: key } : { secret: true }) };
}

/** Of the request with its access codes and numbers as slow digests: the fingerprint is kept, and both are short. */
async function fingerprintOf(body: CreateEnvelopeBody, key: string): Promise<Buffer> {
  const signers = await Promise.all(
    body.signers.map(async ({ access_code, phone, ...signer }) => ({
      ...signer,
      ...(phone !== undefined && { phone: await accessCodeDigest(phone, key) }),
      ...(access_code !== undefined && { access_code: await accessCodeDigest(access_code, key) }),
    })),
  );
  return requestFingerprint({ method: 'POST', route: '/v1/envelopes', body: { ...body, signers } });
}
