import { type Environment, shape } from '@constancia/contracts';
import { ApiPublicProblems, Public } from '@constancia/http';
import { SecretBox } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformConfig } from '../config.ts';
import { OwnerNotices } from '../owner-notices/owner-notices.ts';
import { localeOf } from '../locale.ts';
import { createTenant, PLAN_OF } from './new-tenant.ts';
import type { Plan } from '../tenants/plans.ts';
import { SignUpBody } from './sign-up-body.ts';
import { SignUpView } from './sign-up-view.ts';

/** POST /signup: a tenant with its first key, its webhook secret and its opening balance. */
@Controller('signup')
@ApiTags('Tenants')
export class SignUp {
  private readonly environment: Environment;

  constructor(
    config: PlatformConfig,
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly notices: OwnerNotices,
  ) {
    this.environment = config.environment;
  }

  @Post()
  @Public()
  @ApiOperation({
    operationId: 'signUp',
    summary: 'Create a tenant',
    description:
      'Public. 5 requests per 15 minutes and IP address. `api_key` and `webhook_secret` are shown in this answer only. ' +
      '`owner_email` is mailed a token that verifies it (`POST /tenants/{id}/owner-email/proof`): until then mails to signers wait. ' +
      'The language of mails to the owner follows `Accept-Language` (es-CO, en).',
  })
  @ApiHeader({ name: 'accept-language', required: false, schema: { type: 'string', ...shape.header } })
  @ApiCreatedResponse({ type: SignUpView })
  @ApiPublicProblems('validation-error', 'duplicate-key')
  async handle(@Body() body: SignUpBody, @Headers('accept-language') language?: string): Promise<SignUpView> {
    const { plan } = PLAN_OF[this.environment];
    if (body.plan !== plan) throw this.wrongPlan(plan);
    const tenant = await createTenant(this.database, this.secrets, {
      environment: this.environment,
      slug: body.slug,
      displayName: body.display_name,
      ownerEmail: body.owner_email,
      locale: localeOf(language),
    });
    this.notices.wake(); // the mail that proves the owner's address committed with the tenant
    return tenant;
  }

  private wrongPlan(plan: Plan): ValidationError {
    return new ValidationError([
      {
        pointer: '/plan',
        code: 'not_offered',
        detail: `This is a ${this.environment} deployment: its plan is "${plan}".`,
      },
    ]);
  }
}
