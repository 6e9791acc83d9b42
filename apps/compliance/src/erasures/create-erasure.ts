import {
  actingOf,
  ApiActor,
  ClientIp,
  ApiOptional,
  ApiProblems,
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
  @ApiProperty({ description: 'The reference that the person was screened with.', example: 'customer-417' })
  @IsString()
  @Length(1, 200)
  subject_ref: string;

  @ApiOptional({ description: 'Taken as on the signing host; compliance finds nobody by it.' })
  @IsEmail()
  @MaxLength(254)
  email?: string;
}

/** POST /v1/erasures: erase a person, and block what the law obliges to keep. */
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
      'Ends monitoring and erases what the law does not oblige to keep. Screenings and cases are blocked for five years (SARLAFT) or ' +
      'the `compliance.blocked_days` of your retention: sealed, in no list, search, export or count, 404 by their id, and read only through ' +
      'GET /v1/erasures/{receipt_id}/data with a reason. Then their key is destroyed. The same reference again answers the same receipt as ' +
      'long as nothing new was there. Callers of the identity module erase there: DELETE /v1/kyc/subjects/{id} reaches every module.',
  })
  @ApiActor()
  @ApiOkResponse({ type: ErasureView })
  @ApiProblems('validation-error', 'bad-request', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Headers('x-actor') actorHeader: string | undefined,
    @Body() body: CreateErasureBody,
    @ClientIp() origin: string,
  ): Promise<ErasureView> {
    const { actor, by } = actingOf(actorHeader, principal);
    const receipt = await this.erasure.erase(principal.tenant.id, {
      refs: [body.subject_ref],
      actor,
      relationshipEndedAt: new Date(),
      audit: { principal, origin, onBehalfOf: by.on_behalf_of },
    });
    return ErasureView.of(receipt);
  }
}
