import { generateApiKey, generateWebhookSecret } from '@constancia/auth';
import { type Environment, SANDBOX_GRANT } from '@constancia/contracts';
import { type SecretBox, uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey } from '@constancia/problem-json';
import type { Plan } from '../tenants/plans.ts';
import { webhookSecretContext } from '../tenants/webhook-secret.ts';

/** The one plan of each kind of deployment, and what a tenant on it starts with. */
export const PLAN_OF: Record<Environment, { plan: Plan; openingCredits: number }> = {
  sandbox: { plan: 'sandbox', openingCredits: SANDBOX_GRANT },
  production: { plan: 'standard', openingCredits: 0 },
};

export interface NewTenant {
  environment: Environment;
  slug: string;
  displayName: string;
  ownerEmail: string;
  locale: string;
  /** What the plan gives when left out. */
  openingCredits?: number | undefined;
}

/** The tenant with its first key and its webhook secret, which are known here and never again. */
export interface CreatedTenant {
  tenant_id: string;
  slug: string;
  plan: Plan;
  environment: Environment;
  api_key: string;
  webhook_secret: string;
  created_at: string;
}

/** Makes a tenant, its first key, its webhook secret and its opening balance, all or nothing. Throws DuplicateKey. */
export async function createTenant(
  store: Pick<Tx, 'query'>,
  secrets: SecretBox,
  { environment, slug, displayName, ownerEmail, locale, openingCredits }: NewTenant,
): Promise<CreatedTenant> {
  const { plan, openingCredits: usual } = PLAN_OF[environment];
  const tenantId = uuidv7();
  const key = generateApiKey(environment);
  const webhookSecret = generateWebhookSecret();
  try {
    const [row] = await store.query<{ created_at: Date }>(
      'select platform.sign_up($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as created_at',
      [
        tenantId,
        slug,
        displayName,
        ownerEmail,
        plan,
        environment,
        locale,
        secrets.seal(webhookSecret, webhookSecretContext(tenantId)),
        uuidv7(),
        key.hash,
        key.prefix,
        openingCredits ?? usual,
      ],
    );
    return {
      tenant_id: tenantId,
      slug,
      plan,
      environment,
      api_key: key.plaintext,
      webhook_secret: webhookSecret,
      created_at: (row as { created_at: Date }).created_at.toISOString(),
    };
  } catch (error) {
    if (isUniqueViolation(error, 'tenant_slug_key')) throw new DuplicateKey('This slug is taken: choose another one.');
    throw error;
  }
}
