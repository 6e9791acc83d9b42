import { createHash, randomBytes } from 'node:crypto';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { generateApiKey, generateMemberToken, generateWebhookSecret, hashSecret } from '@constancia/auth';
import type { Role } from '@constancia/contracts';
import type { TestDatabase } from './test-database.ts';

/** Keys that test processes share. Not secret: they protect nothing outside a test run. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
export const TEST_QUEUE_SEALING_KEY = Buffer.alloc(32, 9).toString('base64');

/** The variables that production requires, for an app on the stores of tests: random keys, and loopback connections accepted. */
export const productionVariables = (): Record<string, string> => ({
  SERVICE_ENVIRONMENT: 'production',
  SECRETS_KEY: randomBytes(32).toString('base64'),
  QUEUE_SEALING_KEY: randomBytes(32).toString('base64'),
  ACCEPTED_CLEARTEXT: 'smtp,redis,postgres,s3',
});

export interface TestTenant {
  id: string;
  slug: string;
  apiKey: string;
  webhookSecret: string;
}

/** Makes a sandbox tenant with a key, an opening grant and a verified owner, straight in the store. */
export async function testTenant(
  database: TestDatabase,
  options: { credits?: number; verified?: boolean } = {},
): Promise<TestTenant> {
  const id = uuidv7();
  const slug = `t-${createHash('sha256').update(id).digest('hex').slice(0, 12)}`;
  const key = generateApiKey('sandbox');
  const webhookSecret = generateWebhookSecret();
  const sealed = SecretBox.fromText(TEST_SECRETS_KEY).seal(webhookSecret, `webhook_secret:${id}`);
  await database.query(
    `insert into platform.tenant (id, slug, display_name, owner_email, owner_email_verified_at, plan, environment, webhook_secret)
     values ($1, $2, $3, $4, case when $6 then now() end, 'sandbox', 'sandbox', $5)`,
    [id, slug, `Tenant ${slug}`, `owner@${slug}.example`, sealed, options.verified ?? true],
  );
  await database.query(
    `insert into platform.api_key (id, tenant_id, key_hash, prefix, status) values ($1, $2, $3, $4, 'active')`,
    [uuidv7(), id, key.hash, key.prefix],
  );
  await database.query('insert into platform.credit_account (tenant_id) values ($1)', [id]);
  if ((options.credits ?? 1000) > 0) {
    await database.query('select platform_v1.grant_credits($1, $2, $3, $4, $5)', [
      id,
      options.credits ?? 1000,
      'signup',
      id,
      'test',
    ]);
  }
  return { id, slug, apiKey: key.plaintext, webhookSecret };
}

/** Gives a tenant a colour and a logo, straight in the store; answers what pages show of it, and the file. */
export async function testBrand(database: Pick<TestDatabase, 'query'>, tenantId: string) {
  const bytes = Buffer.from(`a picture that the platform wrote, of ${tenantId}`);
  const sha256 = createHash('sha256').update(bytes).digest();
  const color = '#7a1f5c';
  await database.query('update platform.tenant set brand_color = $2 where id = $1', [tenantId, color]);
  await database.query(
    'insert into platform.tenant_logo (tenant_id, sha256, width, height, bytes) values ($1, $2, 64, 32, $3)',
    [tenantId, sha256, bytes],
  );
  return { shown: { color, logo: { path: `/logos/${sha256.toString('hex')}.png`, width: 64, height: 32 } }, bytes };
}

/** A member who is signed in. Ids are UUIDs. */
export interface TestMember {
  id: string;
  name: string;
  email: string;
  sessionId: string;
  /** The member token. */
  token: string;
}

/** Makes an active member with a console session and a member token, straight in the store. */
export async function testMember(
  database: Pick<TestDatabase, 'query'>,
  tenantId: string,
  role: Role,
  { name = `Member ${role}`, method = 'code' }: { name?: string; method?: 'code' | 'link' | 'passkey' | 'sso' } = {},
): Promise<TestMember> {
  const [id, sessionId] = [uuidv7(), uuidv7()];
  const email = `${id}@members.example`;
  const token = generateMemberToken();
  await database.query(
    `insert into platform.member (id, tenant_id, email, name, role, status, created_by, activated_at)
     values ($1, $2, $3, $4, $5, 'active', 'test', now())`,
    [id, tenantId, email, name, role],
  );
  await database.query(
    `insert into platform.member_session (id, tenant_id, member_id, method, token_hash, expires_at, user_agent, ip)
     values ($1, $2, $3, $4, $5, now() + interval '8 hours', 'test', '127.0.0.1')`,
    [sessionId, tenantId, id, method, hashSecret(sessionId)],
  );
  await database.query(
    `insert into platform.member_token (token_hash, tenant_id, member_id, session_id, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes')`,
    [token.hash, tenantId, id, sessionId],
  );
  return { id, name, email, sessionId, token: token.plaintext };
}

/** Makes a template of one page straight in the store, for requests that are written there too; answers its id. */
export async function testTemplate(
  database: Pick<TestDatabase, 'query'>,
  tenantId: string,
  id: string = uuidv7(),
): Promise<string> {
  await database.query(
    `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key, page_count)
     values ($1, $2, $3, $3, $4, 1, $3, 1)`,
    [id, tenantId, `t-${id}`, Buffer.alloc(32)],
  );
  return id;
}
