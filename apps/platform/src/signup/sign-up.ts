import { generateApiKey, generateWebhookSecret } from '@constancia/auth';
import { type Environment, SANDBOX_GRANT } from '@constancia/contracts';
import { ApiPublicProblems, Public } from '@constancia/http';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { Database, isUniqueViolation } from '@constancia/persistence';
import { DuplicateKey, ValidationError } from '@constancia/problem-json';
import { Body, Controller, Headers, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PlatformConfig } from '../config.ts';
import { webhookSecretContext } from '../tenants/webhook-secret.ts';
import { localeOf } from './locale.ts';
import { type Plan, SignUpBody } from './sign-up-body.ts';
import { SignUpView } from './sign-up-view.ts';

/** The one plan of each kind of deployment, and what a tenant on it starts with. */
const PLAN_OF: Record<Environment, { plan: Plan; openingCredits: number }> = {
  sandbox: { plan: 'sandbox', openingCredits: SANDBOX_GRANT },
  production: { plan: 'standard', openingCredits: 0 },
};

/** POST /signup: a tenant with its first key, its webhook secret and its opening balance. */
@Controller('signup')
@ApiTags('Tenants')
export class SignUp {
  private readonly environment: Environment;

  constructor(
    config: PlatformConfig,
    private readonly database: Database,
    private readonly secrets: SecretBox,
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
      'The language of mails to the owner follows `Accept-Language` (es-CO, en).',
  })
  @ApiHeader({ name: 'accept-language', required: false, schema: { type: 'string' } })
  @ApiCreatedResponse({ type: SignUpView })
  @ApiPublicProblems('validation-error', 'duplicate-key')
  async handle(@Body() body: SignUpBody, @Headers('accept-language') language?: string): Promise<SignUpView> {
    const { plan, openingCredits } = PLAN_OF[this.environment];
    if (body.plan !== plan) throw this.wrongPlan(plan);

    const tenantId = uuidv7();
    const key = generateApiKey(this.environment);
    const webhookSecret = generateWebhookSecret();
    try {
      const [row] = await this.database.query<{ created_at: Date }>(
        'select platform.sign_up($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as created_at',
        [
          tenantId,
          body.slug,
          body.display_name,
          body.owner_email,
          plan,
          this.environment,
          localeOf(language),
          this.secrets.seal(webhookSecret, webhookSecretContext(tenantId)),
          uuidv7(),
          key.hash,
          key.prefix,
          openingCredits,
        ],
      );
      return {
        tenant_id: tenantId,
        slug: body.slug,
        plan,
        environment: this.environment,
        api_key: key.plaintext,
        webhook_secret: webhookSecret,
        created_at: (row as { created_at: Date }).created_at.toISOString(),
      };
    } catch (error) {
      if (isUniqueViolation(error, 'tenant_slug_key')) {
        throw new DuplicateKey('This slug is taken: choose another one.');
      }
      throw error;
    }
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
