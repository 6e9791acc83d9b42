import { JsonBodyLimit } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { Body, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { CurrentSigner } from '../signer-requests/current-signer.ts';
import { draftValues, VALUE_LIMITS } from '../signer-requests/field-values.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { SIGN_BODY_BYTES } from './sign-body.ts';
import { requireAllowed, SignerRequests } from '../signer-requests/signer-requests.ts';
import { SignerDrafts } from '../signer-requests/signer-drafts.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

export class DraftBody {
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', maxLength: VALUE_LIMITS.characters }, { type: 'boolean' }] },
    description: 'All that was entered so far, by the keys of the own fields; it replaces the draft before.',
    example: { city: 'Bogotá' },
  })
  @IsObject()
  fields: Record<string, unknown>;
}

/** PUT /v1/sign/{token}/draft: what the signer has entered so far, so that a reload loses nothing. */
@SignerController()
export class KeepDraft {
  constructor(
    private readonly requests: SignerRequests,
    private readonly drafts: SignerDrafts,
  ) {}

  @Put('draft')
  @HttpCode(204)
  @JsonBodyLimit(SIGN_BODY_BYTES)
  @ApiOperation({
    operationId: 'keepDraft',
    summary: 'Keep what was entered so far',
    description:
      'Values may be incomplete. They are kept encrypted, shown as `draft` in the state to callers with a proof of authentication, and ' +
      'erased when the signer signs or declines and when the envelope ends.',
  })
  @ApiNoContentResponse({ description: 'It is kept.' })
  @SignerRoute('state-conflict')
  async handle(@CurrentSigner() found: FoundSigner, @Body() { fields }: DraftBody): Promise<void> {
    const { values, errors } = draftValues(found.facts.fields, fields);
    if (errors.length > 0) throw new ValidationError(errors);
    await this.requests.serve(found, async (tx, held) => {
      requireAllowed(held, 'draft');
      await this.drafts.keep(tx, found.tenantId, held.signer.id, values);
      return { result: undefined };
    });
  }
}
