import {
  ApiProblems,
  IdempotencyKey,
  Idempotent,
  REPLAYED_HEADER,
  sendStored,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  actingOf,
} from '@constancia/http';
import { requestFingerprint, type StoredResponse } from '@constancia/idempotency';
import { uuidv7 } from '@constancia/kernel';
import { documentProblem, type DocumentType, isCountry, plainDocumentNumber } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { type FieldError, UnknownReference, ValidationError } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ReturnOrigins } from '../../billing/topup/return-origins.ts';
import { PlatformConfig } from '../../config.ts';
import { DEFAULT_CODE, DEFAULT_TYPE } from '../flows/default-flow.ts';
import type { Flow } from '../flows/flow.entity.ts';
import { publishedFlow } from '../flows/flows.ts';
import { CaptureTokens, type NewCapture } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { OpenSessionBody } from './open-session-body.ts';
import { triggerOf } from './sandbox-triggers.ts';
import { sessionRow } from './session-changes.ts';
import type { SubjectFacts } from '../subjects/subject.ts';
import { Subjects } from '../subjects/subjects.ts';
import { appendTrail } from './session-trail.ts';
import { generateSessionToken } from './session-token.ts';
import { OpenedSessionView, SessionView } from './session-view.ts';

const SESSION_HOURS = 24;

/** POST /v1/flows/sessions: a subject begins a flow. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class OpenSession {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly answers: IdentityAnswers,
    private readonly captures: CaptureTokens,
    private readonly origins: ReturnOrigins,
  ) {}

  @Post()
  @RequireScope('identity:write')
  @HttpCode(201)
  @Idempotent()
  @ApiOperation({
    operationId: 'openFlowSession',
    summary: 'Open a session',
    description:
      'Pinned to the published version of (type, code), for 24 hours. The session_token is a bearer for GET, advance and ' +
      'presign-upload of this session alone: hand it to the subject’s device, never the API key. With `hosted`, send the subject to ' +
      '`capture_url` instead: a browser that opens it takes the session.',
  })
  @ApiCreatedResponse({ type: OpenedSessionView, headers: REPLAYED_HEADER })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'conflict', 'unprocessable-entity')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() key: string | undefined,
    @Body() body: OpenSessionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    checkDocument(body);
    await this.checkHosted(principal, body);
    const claim = key && {
      key,
      fingerprint: requestFingerprint({ method: 'POST', route: '/v1/flows/sessions', body: { ...body } }),
    };
    const { response, replayed } = await this.database.tenant(principal.tenant.id, async (tx) => {
      const stored = claim ? await this.answers.claim(tx, principal.tenant.id, claim) : null;
      if (stored) return { response: stored, replayed: true };
      const { response, subjectId } = await this.open(tx, principal, body);
      if (claim) await this.answers.complete(tx, principal.tenant.id, claim.key, response, { owner: subjectId });
      return { response, replayed: false };
    });
    return sendStored(reply, response, replayed);
  }

  /** What only a hosted session has, and where it may lead. */
  private async checkHosted({ tenant }: Principal, { hosted, return_url, locale }: OpenSessionBody): Promise<void> {
    if (hosted) return return_url === undefined ? undefined : this.origins.require(tenant.id, return_url);
    const given = Object.entries({ return_url, locale }).filter(([, value]) => value !== undefined);
    const errors = given.map(([name]): FieldError => {
      const detail = 'Belongs to a hosted session: add hosted, true.';
      return { pointer: `/${name}`, code: 'not_allowed', detail };
    });
    if (errors.length > 0) throw new ValidationError(errors);
  }

  private async open(
    tx: Tx,
    principal: Principal,
    body: OpenSessionBody,
  ): Promise<{ response: StoredResponse; subjectId: string }> {
    const { tenant } = principal;
    const { subjects } = this;
    const flow = await publishedFlow(tx, tenant.id, body.type ?? DEFAULT_TYPE, body.code ?? DEFAULT_CODE);
    if (!flow)
      throw new UnknownReference('/code', 'There is no published flow of this type and code: seed or publish one.');
    checkTaken(flow, body.document_type);
    const facts = factsOf(body);
    const subject = await subjects.findOrCreate(tx, tenant.id, facts);
    await subjects.setStatus(tx, subject, { kycStatus: 'in_progress' });
    const document = { type: facts.documentType, country: facts.country, number: facts.documentNumber };
    const trigger = triggerOf({ deployment: this.config.environment, tenant: tenant.environment }, document);
    const token = generateSessionToken();
    const id = uuidv7();
    await tx.query(INSERT, [
      id,
      tenant.id,
      flow.id,
      subject.id,
      facts.externalRef,
      facts.documentType,
      facts.country,
      trigger?.name ?? null,
      token.hash,
      SESSION_HOURS,
    ]);
    const session = await sessionRow(tx, tenant.id, id);
    const { actor, by } = actingOf(undefined, principal);
    await appendTrail(tx, { tenantId: tenant.id, sessionId: id }, [
      {
        type: 'opened',
        actor,
        step: null,
        from: null,
        to: 'in_progress',
        data: {
          by,
          session_id: SessionView.of(session).id,
          flow: { code: flow.code, type: flow.type, version: flow.version },
          ...(trigger && { sandbox_trigger: trigger.name }),
          ...(body.hosted && { hosted: true }),
        },
      },
    ]);
    const capture_url = body.hosted && (await this.captures.open(tx, captureOf(principal, id, body)));
    const view = {
      ...SessionView.of(session),
      session_token: token.plaintext,
      token: token.plaintext,
      ...(capture_url && { capture_url }),
    };
    const response = {
      status: 201,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(view satisfies OpenedSessionView),
    };
    return { response, subjectId: subject.id };
  }
}

const captureOf = ({ tenant }: Principal, sessionId: string, { return_url, locale }: OpenSessionBody): NewCapture => ({
  session_id: sessionId,
  tenant_id: tenant.id,
  tenant_name: tenant.displayName,
  return_url: return_url ?? null,
  locale: locale ?? 'es-CO',
});

const INSERT = `
  insert into identity.flow_session (id, tenant_id, flow_id, subject_id, external_ref, document_type, document_country, trigger,
         token_hash, current_step, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, now() + make_interval(hours => $10))`;

function factsOf(body: OpenSessionBody): SubjectFacts {
  return {
    externalRef: body.external_ref ?? null,
    documentType: body.document_type,
    documentNumber: plainDocumentNumber(body.document_number),
    country: body.country,
    email: body.email ?? null,
    phone: body.phone ?? null,
  };
}

function checkDocument({ document_type, document_number, country }: OpenSessionBody): void {
  const errors = [];
  if (!isCountry(country)) {
    errors.push({ pointer: '/country', code: 'not_allowed', detail: 'This is no assigned code of ISO 3166-1.' });
  }
  const problem = documentProblem(document_type, country, document_number);
  if (problem) errors.push({ pointer: '/document_number', code: 'wrong_format', detail: problem });
  if (errors.length > 0) throw new ValidationError(errors);
}

/** A flow that asks for a document takes those that its step names. */
function checkTaken(flow: Flow, documentType: DocumentType): void {
  const step = flow.steps.find(({ step_type }) => step_type === 'document_upload');
  if (step?.step_type !== 'document_upload' || step.config.document_types.includes(documentType)) return;
  const detail = `This flow takes ${step.config.document_types.join(', ')}.`;
  throw new ValidationError([{ pointer: '/document_type', code: 'not_allowed', detail }]);
}
