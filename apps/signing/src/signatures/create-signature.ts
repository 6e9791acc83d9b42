import { PRICE } from '@constancia/contracts';
import { ChargedWork, type WorkUnit } from '@constancia/credit-ledger';
import {
  ApiProblems,
  BODY_PROBLEMS,
  CurrentTenant,
  IdempotencyKey,
  Idempotent,
  JsonBodyLimit,
  REPLAYED_HEADER,
  sendStored,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { type IdempotentRequest, requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { sqlState } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { StateConflict, ValidationError } from '@constancia/problem-json';
import { currentTraceparent } from '@constancia/telemetry';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { withHexBytes } from '../hex-bytes.ts';
import type { Template } from '../templates/template.entity.ts';
import { Templates } from '../templates/templates.ts';
import { CreateSignatureBody } from './create-signature-body.ts';
import { blankKeys, mergeDataErrors, normalised } from './merge-data.ts';
import { sealMergeData } from './sealed-merge-data.ts';
import { SealingHints } from './sealing-hints.ts';
import { CreatedSignatureView } from './signature-view.ts';

/** Merge data at its limits, every character written as an escaped surrogate pair. */
const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';

/** The template was archived or deleted (trigger require_open_template). */
const TEMPLATE_CLOSED = 'CN410';

/** POST /v1/signatures: accept a sealing request and charge for it. The sealing worker does the rest. */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class CreateSignature {
  constructor(
    private readonly templates: Templates,
    private readonly work: ChargedWork,
    private readonly personal: PersonalData,
    private readonly sealing: SealingHints,
  ) {}

  @Post()
  @RequireScope('signing:write')
  @HttpCode(202)
  @Idempotent()
  @JsonBodyLimit(BODY_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'createSignature',
    summary: 'Request the signature of a document',
    description:
      `Debits ${PRICE.signature} credits and answers at once; the document is usually signed within 5 seconds. Ask for its status, ` +
      'or receive the event seal.signature.completed (or .failed). With an Idempotency-Key the request can be repeated safely ' +
      'for 24 hours.',
  })
  @ApiAcceptedResponse({
    type: CreatedSignatureView,
    description: 'The request is accepted and paid for.',
    headers: REPLAYED_HEADER,
  })
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
    @CurrentTenant() tenant: Tenant,
    @IdempotencyKey() key: string | undefined,
    @Body() body: CreateSignatureBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedSignatureView | string> {
    const template = await this.templates.forSealing(tenant.id, body.template_id);
    const identity = key ? { key, fingerprint: fingerprintOf(body) } : undefined;
    if (template.archived_at) return this.refused(tenant, identity, reply);
    const request = pendingRequest(template, body);
    const keys = template.placeholders.map((placeholder) => placeholder.key);
    const view = CreatedSignatureView.of(request, blankKeys(request.merge_data, keys));

    const replayed = await this.commit(body.template_id, {
      tenantId: tenant.id,
      idempotency: identity && answering(identity, view),
      writes: [{ table: 'signature_request', rows: [await this.storedRow(tenant.id, request)] }],
      debit: { module: 'seal', refType: 'signature', refId: request.id, amount: PRICE.signature },
    });
    if (replayed) return sendStored(reply, replayed, true);
    this.sealing.hint(request.id); // may be lost: the sweep finds it within 3 s
    return view;
  }

  /** Without another round trip once the tenant's keys are cached: a sealed request stores its own key. */
  private async storedRow(tenantId: string, request: PendingRequest): Promise<Record<string, unknown>> {
    if (!(await this.personal.isSealedCached())) return { ...request };
    const sealed = sealMergeData(await this.personal.tenant(tenantId), request.id, request.merge_data);
    return withHexBytes({ ...request, merge_data: {}, ...sealed });
  }

  private async commit(templateId: string, unit: WorkUnit) {
    try {
      return await this.work.commit(unit);
    } catch (error) {
      if (sqlState(error) !== TEMPLATE_CLOSED) throw error;
      this.templates.forget(unit.tenantId, templateId);
      await this.templates.forSealing(unit.tenantId, templateId); // throws when it was deleted
      throw archived();
    }
  }

  /** An archived template still answers a repetition of what was requested on it before. */
  private async refused(tenant: Tenant, identity: IdempotentRequest | undefined, reply: FastifyReply): Promise<string> {
    const earlier = identity && (await this.work.earlierAnswer(tenant.id, identity));
    if (earlier) return sendStored(reply, earlier, true);
    throw archived();
  }
}

const archived = () => new StateConflict('The template is archived: upload another one and use that.');

function fingerprintOf(body: CreateSignatureBody): Buffer {
  return requestFingerprint({ method: 'POST', route: '/v1/signatures', body: { ...body } });
}

function answering(identity: IdempotentRequest, view: CreatedSignatureView): WorkUnit['idempotency'] {
  const response = { status: 202, headers: { 'Content-Type': JSON_TYPE }, body: JSON.stringify(view) };
  return { ...identity, response };
}

type PendingRequest = ReturnType<typeof pendingRequest>;

/** The row of a request that is not sealed yet. Throws ValidationError for merge data that the template does not take. */
function pendingRequest(template: Template, body: CreateSignatureBody) {
  const mergeData = body.merge_data ?? {};
  const errors = mergeDataErrors(mergeData, template.placeholders);
  if (errors.length > 0) throw new ValidationError(errors);
  return {
    id: uuidv7(),
    template_id: template.id,
    subject_ref: body.subject_ref,
    external_ref: body.external_ref ?? null,
    metadata: body.metadata ?? {},
    merge_data: normalised(mergeData as Record<string, string>),
    status: 'pending' as const,
    credits_debited: PRICE.signature,
    created_at: new Date(),
    traceparent: currentTraceparent() ?? null,
  };
}
