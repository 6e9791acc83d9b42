import { PRICE } from '@constancia/contracts';
import { ChargedWork, type WorkUnit } from '@constancia/credit-ledger';
import {
  ApiProblems,
  CurrentTenant,
  IdempotencyKey,
  Idempotent,
  JsonBodyLimit,
  REPLAYED_HEADER,
  sendStored,
  type Tenant,
} from '@constancia/http';
import { requestFingerprint } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';
import { currentTraceparent } from '@constancia/telemetry';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Template } from '../templates/template.entity.ts';
import { Templates } from '../templates/templates.ts';
import { CreateSignatureBody } from './create-signature-body.ts';
import { mergeDataErrors, normalised } from './merge-data.ts';
import { SealingHints } from './sealing-hints.ts';
import { AcceptedSignatureView } from './signature-view.ts';

/** Merge data at its limits, every character written as an escaped surrogate pair. */
const BODY_LIMIT_BYTES = 5 * 1024 * 1024;

const JSON_TYPE = 'application/json; charset=utf-8';

/** POST /v1/signatures: accept a sealing request and charge for it. The sealing worker does the rest. */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class CreateSignature {
  constructor(
    private readonly templates: Templates,
    private readonly work: ChargedWork,
    private readonly sealing: SealingHints,
  ) {}

  @Post()
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
    type: AcceptedSignatureView,
    description: 'The request is accepted and paid for.',
    headers: REPLAYED_HEADER,
  })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'insufficient-acai',
    'not-found',
    'conflict',
    'payload-too-large',
    'unsupported-media-type',
    'unprocessable-entity',
  )
  async handle(
    @CurrentTenant() tenant: Tenant,
    @IdempotencyKey() key: string | undefined,
    @Body() body: CreateSignatureBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AcceptedSignatureView | string> {
    const template = await this.templates.find(tenant.id, body.template_id);
    const request = pendingRequest(template, body);
    const view = AcceptedSignatureView.of(request);

    const replayed = await this.work.commit({
      tenantId: tenant.id,
      idempotency: key ? this.claim(key, body, view) : undefined,
      writes: [{ table: 'signature_request', rows: [{ ...request }] }],
      debit: { module: 'seal', refType: 'signature', refId: request.id, amount: PRICE.signature },
    });
    if (replayed) return sendStored(reply, replayed, true);
    this.sealing.hint(request.id); // may be lost: the sweep finds it within 3 s
    return view;
  }

  private claim(key: string, body: CreateSignatureBody, view: AcceptedSignatureView): WorkUnit['idempotency'] {
    return {
      key,
      fingerprint: requestFingerprint({ method: 'POST', route: '/v1/signatures', body: { ...body } }),
      response: { status: 202, headers: { 'Content-Type': JSON_TYPE }, body: JSON.stringify(view) },
    };
  }
}

/** The row of a request that is not sealed yet. Throws ValidationError for merge data that the template does not take. */
function pendingRequest(template: Template, body: CreateSignatureBody) {
  const mergeData = body.merge_data ?? {};
  const errors = mergeDataErrors(mergeData, new Set(template.placeholders.map((placeholder) => placeholder.key)));
  if (errors.length > 0) throw new ValidationError(errors);
  return {
    id: uuidv7(),
    template_id: template.id,
    subject_ref: body.subject_ref,
    merge_data: normalised(mergeData as Record<string, string>),
    status: 'pending' as const,
    credits_debited: PRICE.signature,
    created_at: new Date(),
    traceparent: currentTraceparent() ?? null,
  };
}
