import {
  actingOf,
  ApiActor,
  ClientIp,
  ApiOptional,
  ApiProblems,
  BODY_PROBLEMS,
  RequireScope,
  CurrentPrincipal,
  type Principal,
  WhileClosing,
} from '@constancia/http';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsEmail, IsString, Length, MaxLength } from 'class-validator';
import { Erasure } from './erasure.ts';
import { ErasureView } from './erasure-view.ts';

export class CreateErasureBody {
  @ApiProperty({ description: 'The subject_ref of signature requests.', example: 'customer-417' })
  @IsString()
  @Length(1, 200)
  subject_ref: string;

  @ApiOptional({
    description: 'Signers of envelopes are found by it, in capital letters or not.',
    example: 'ana@correo.example',
  })
  @IsString()
  @IsEmail()
  @MaxLength(254)
  email?: string;
}

/** POST /v1/erasures: erase a person. */
@Controller('v1/erasures')
@ApiTags('Erasures')
export class CreateErasure {
  constructor(private readonly erasure: Erasure) {}

  @Post()
  @RequireScope('identity:erase')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'createErasure',
    summary: 'Erase a person',
    description:
      'Signers with the address lose name, address, link and what they entered, where no sealed document contains them; an envelope that ' +
      'still waits for signatures is voided. Requests and envelopes that are being sealed are finished first: the status is `pending` until ' +
      'then. Sealed documents and the trails of envelopes are kept as evidence. The same reference again answers the same receipt as ' +
      'long as nothing new was there. Callers of the identity module erase there: DELETE /v1/kyc/subjects/{id} reaches every module.',
  })
  @ApiActor()
  @ApiOkResponse({ type: ErasureView, description: 'What was erased, and what is kept.' })
  @ApiProblems(...BODY_PROBLEMS, 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actorHeader: string | undefined,
    @Body() { subject_ref, email }: CreateErasureBody,
    @ClientIp() origin: string,
  ): Promise<ErasureView> {
    const { actor, by } = actingOf(actorHeader, principal);
    const audit = { principal, origin, onBehalfOf: by.on_behalf_of };
    const order = { refs: [subject_ref], email: email ?? null, actor, audit };
    return ErasureView.of(await this.erasure.erase(principal.tenant.id, order));
  }
}
