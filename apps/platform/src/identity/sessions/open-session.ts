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
import { documentErrors, type DocumentType } from '@constancia/reference-data';
import type { Tx } from '@constancia/persistence';
import { type FieldError, UnknownReference, ValidationError } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ReturnOrigins } from '../../billing/topup/return-origins.ts';
import { DEFAULT_CODE, DEFAULT_TYPE } from '../flows/default-flow.ts';
import type { Flow } from '../flows/flow.entity.ts';
import { publishedFlow } from '../flows/flows.ts';
import { documentTypesOf } from '../flows/step-types.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { IdentityAnswers } from '../subjects/identity-answers.ts';
import { OpenSessionBody } from './open-session-body.ts';
import { SessionOpening } from './session-opening.ts';
import { OpenedSessionView, SessionView } from './session-view.ts';

/** POST /v1/flows/sessions: a subject begins a flow. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class OpenSession {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly sessions: SessionOpening,
    private readonly answers: IdentityAnswers,
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
    if (hosted) return return_url === undefined ? undefined : this.origins.requireUrl(tenant.id, return_url);
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
    const flow = await publishedFlow(tx, tenant.id, body.type ?? DEFAULT_TYPE, body.code ?? DEFAULT_CODE);
    if (!flow)
      throw new UnknownReference('/code', 'There is no published flow of this type and code: seed or publish one.');
    checkTaken(flow, body.document_type);
    const { actor, by } = actingOf(undefined, principal);
    const { session, token, captureUrl } = await this.sessions.open(tx, { tenant, flow, body, actor, trail: { by } });
    const view = {
      ...SessionView.of(session),
      session_token: token,
      token,
      ...(captureUrl !== null && { capture_url: captureUrl }),
    };
    const response = {
      status: 201,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(view satisfies OpenedSessionView),
    };
    return { response, subjectId: session.subject_id };
  }
}

function checkDocument(body: OpenSessionBody): void {
  const errors = documentErrors(body);
  if (errors.length > 0) throw new ValidationError(errors);
}

/** A flow that asks for a document takes those that its step names. */
function checkTaken({ steps }: Flow, documentType: DocumentType): void {
  const types = documentTypesOf(steps);
  if (types === undefined || types.includes(documentType)) return;
  const detail = `This flow takes ${types.join(', ')}.`;
  throw new ValidationError([{ pointer: '/document_type', code: 'not_allowed', detail }]);
}
