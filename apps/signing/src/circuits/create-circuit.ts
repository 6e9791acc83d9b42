import {
  ApiProblems,
  CurrentTenant,
  ExternalRef,
  IsMailedText,
  Metadata,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { CODE } from '../code.ts';
import { NAME_LIMIT } from '../templates/upload-query.ts';
import { CircuitView } from './circuit-view.ts';
import { Circuits } from './circuits.ts';

export class CreateCircuitBody {
  @ApiProperty({ description: 'Unique for the tenant.', example: 'sale-contract' })
  @IsString()
  @Matches(CODE)
  code: string;

  @ApiProperty({ example: 'Contrato de compraventa' })
  @IsString()
  @Length(1, NAME_LIMIT)
  @IsMailedText()
  name: string;

  @ExternalRef('Your own reference, returned with every version. Put no personal data here.')
  external_ref?: string;

  @Metadata()
  metadata?: Record<string, string>;
}

/** POST /v1/circuits: a draft that a PDF, signers and fields are put into next. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class CreateCircuit {
  constructor(private readonly circuits: Circuits) {}

  @Post()
  @RequireScope('signing:write')
  @ApiOperation({
    operationId: 'createCircuit',
    summary: 'Create a circuit',
    description: 'A draft without anything. Next: its base PDF, its definition, and publish it. Signers read its name.',
  })
  @ApiCreatedResponse({ type: CircuitView, description: 'The draft.' })
  @ApiProblems('validation-error', 'duplicate-key', 'unsupported-media-type', 'payload-too-large', 'bad-request')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: CreateCircuitBody): Promise<CircuitView> {
    return CircuitView.of(await this.circuits.create(tenant.id, body));
  }
}
