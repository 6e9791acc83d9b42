import type { SignerIdentityRequest } from '@constancia/contracts';
import {
  documentErrors,
  PERSONAL_DOCUMENTS,
  type PersonalDocument,
  plainDocumentNumber,
} from '@constancia/reference-data';
import { ValidationError } from '@constancia/problem-json';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString, Matches, MaxLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CircuitSigner } from '../circuits/circuit.entity.ts';
import { SigningConfig } from '../config.ts';
import { CLAIM, setTokenCookie } from '../signer-requests/browser-tokens.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { type HeldEnvelope, requireAllowed, SignerRequests, witnessed } from '../signer-requests/signer-requests.ts';
import { AcceptsClaim, SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { holdsClaim, IdentityChecks, refuseTooManyStarts, type StartedCheck } from './identity-checks.ts';
import { IdentityRequests } from './identity-requests.ts';
import { isUsable } from './identity-states.ts';
import { identityView, StartedIdentityView } from './identity-view.ts';

export class StartIdentityBody {
  @ApiProperty()
  @IsIn(PERSONAL_DOCUMENTS)
  document_type: PersonalDocument;

  @ApiProperty({
    description: 'Checked by its type and country. It is in no trail and no certificate.',
    example: '1098765432',
  })
  @IsString()
  @MaxLength(64)
  document_number: string;

  @ApiProperty({ description: 'ISO 3166-1 alpha-2: who issued the document.', example: 'CO' })
  @IsString()
  @Matches(/^[A-Z]{2}$/, { message: 'Use the two capital letters of ISO 3166-1 alpha-2.' })
  country: string;
}

/** POST /v1/sign/{token}/identity: the signer starts to prove an identity, with a document and the face. */
@SignerController()
export class StartIdentity {
  constructor(
    private readonly requests: SignerRequests,
    private readonly checks: IdentityChecks,
    private readonly identityRequests: IdentityRequests,
    private readonly config: SigningConfig,
  ) {}

  @Post('identity')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startSignerIdentity',
    summary: 'Start to verify the identity of a signer',
    description:
      'Opens a session of the flow that the circuit names, which is charged as any session is, or as a reuse when the signer gives a kept verification. Repeat GET until `status` is open, and send ' +
      'the signer to `capture_url`. The client that holds the claim gets the same verification again while it is under way or verified; ' +
      'any other client starts another one, and the former ends. Five times an hour: else 429.',
  })
  @AcceptsClaim()
  @ApiAcceptedResponse({ type: StartedIdentityView, description: 'The verification is asked for.' })
  @SignerRoute('validation-error', 'state-conflict')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: StartIdentityBody,
  ): Promise<StartedIdentityView> {
    const errors = documentErrors(body);
    if (errors.length > 0) throw new ValidationError(errors);
    const { check, claim } = await this.requests.serve<StartedCheck>(found, async (tx, held) => {
      requireAllowed(held, 'identity');
      const { envelope, signer } = held;
      const former = await this.checks.find(tx, envelope.tenant_id, signer.id);
      const own = holdsClaim(request, former) && isUsable(former);
      if (own) return { result: { check: former, claim: null } };
      refuseTooManyStarts(former);
      const at = { tenantId: envelope.tenant_id, signerId: signer.id, former };
      const started = await this.checks.start(tx, at, requestOf(held, body));
      await witnessed(tx, held, visitor, 'signer.identity_started', { document_type: body.document_type });
      return { result: started };
    });
    if (claim === null) await this.identityRequests.askAgain(check);
    else {
      this.identityRequests.ask(check);
      setTokenCookie(CLAIM, { request, reply, config: this.config }, claim);
    }
    return { ...identityView(check, this.checks.captureUrl(check)), claim: claim === null ? null : { token: claim } };
  }
}

function requestOf({ envelope, signer, circuit }: HeldEnvelope, body: StartIdentityBody): SignerIdentityRequest {
  const { identity_flow: flow } = circuit.signers.find(({ role }) => role === signer.role) as CircuitSigner;
  if (!flow) throw new Error('a role that is authenticated by identity names a flow');
  return {
    open: {
      flow,
      document_type: body.document_type,
      document_number: plainDocumentNumber(body.document_number),
      country: body.country,
      email: signer.email,
      locale: envelope.locale,
    },
  };
}
