import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreateValidationBody, DEFAULT_CODE } from './validation-body.ts';
import { ValidationView } from './validation-view.ts';
import { addDraft, lockCode } from './validations.ts';

/** POST /v1/validations: an empty draft, the next version of its code. */
@Controller('v1/validations')
@ApiTags('Validations')
export class CreateValidation {
  constructor(private readonly database: Database) {}

  @Post()
  @RequireScope('compliance:rules')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'createValidation',
    summary: 'Create a draft validation',
    description:
      'Its version is the highest of its code, and one more. Add rules, or seed the canonical ones, then publish it.',
  })
  @ApiCreatedResponse({ type: ValidationView, description: 'An empty draft.' })
  @ApiProblems('validation-error', 'bad-request')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: CreateValidationBody): Promise<ValidationView> {
    const code = body.code ?? DEFAULT_CODE;
    const made = { code, name: body.name ?? code, description: body.description || null };
    const row = await this.database.tenant(tenant.id, async (tx) => {
      await lockCode(tx, tenant.id, code);
      return addDraft(tx, tenant.id, made);
    });
    return ValidationView.of(row);
  }
}
