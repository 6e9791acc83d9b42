import { Env } from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { Equals, IsEmail, IsInt, IsOptional, IsUrl, Matches, Min, ValidateIf } from 'class-validator';

/** Base64 of 32 bytes; several, comma-separated, while a key is being rotated. */
const KEYS = /^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/;
const KEYS_MESSAGE = 'must be base64 of 32 bytes, or a comma-separated list of such, the current one first';

const POSTGRES = { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true };
const REDIS = { protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true };
const SMTP = { protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true };

/** What the platform process is configured with. */
export class PlatformConfig extends HttpConfig {
  @Env('DATABASE_URL', { description: 'Postgres, as the role platform_app', secret: true })
  @IsUrl(POSTGRES)
  databaseUrl: string;

  @Env('DATABASE_POOL_SIZE', { description: 'Connections to Postgres at the most', default: '10' })
  @IsInt()
  @Min(1)
  databasePoolSize: number;

  @Env('REDIS_URL', { description: 'Redis for queues and rate limits; left out: Postgres and memory', secret: true })
  @IsOptional()
  @IsUrl(REDIS)
  redisUrl?: string;

  @Env('QUEUE_DATABASE_URL', {
    description: 'Postgres for the queues, as the role queue_app; needed without REDIS_URL',
    secret: true,
  })
  @ValidateIf((config: PlatformConfig) => config.redisUrl === undefined)
  @IsUrl(POSTGRES, { message: 'must be a postgres:// address, as long as there is no REDIS_URL' })
  queueDatabaseUrl?: string;

  @Env('SECRETS_KEY', { description: 'Seals secrets at rest; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  secretsKey: string;

  @Env('QUEUE_SEALING_KEY', { description: 'Seals what crosses a queue; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  queueSealingKey: string;

  @Env('SMTP_URL', { description: 'Mail server', secret: true })
  @IsUrl(SMTP)
  smtpUrl: string;

  @Env('MAIL_FROM', { description: 'Sender of mails: an address, or a name with an address in angle brackets' })
  @IsEmail({ allow_display_name: true, require_tld: false })
  mailFrom: string;

  @Env('WEBHOOK_ALLOW_LOOPBACK', {
    description: 'Accept webhook endpoints on http and on loopback addresses; refused in production',
    default: 'false',
  })
  @ValidateIf((config: PlatformConfig) => config.environment === 'production')
  @Equals(false, { message: 'must be false in production' })
  webhookAllowLoopback: boolean;

  @Env('WEBHOOK_PORTS', { description: 'Ports of public hosts that webhooks may go to', default: '443,8443' })
  @Matches(/^\d{1,5}$/, { each: true, message: 'must be port numbers' })
  webhookPorts: string[];

  @Env('RATE_LIMIT_SIGNUP', {
    description: 'Requests per 15 minutes and IP address on /signup; the same again on key recovery',
    default: '5',
  })
  @IsInt()
  @Min(1)
  rateLimitSignup: number;
}

/** What `node main.js migrate` is configured with. */
export class MigrationConfig {
  @Env('MIGRATION_DATABASE_URL', { description: 'Postgres, as the role platform_owner', secret: true })
  @IsUrl(POSTGRES)
  databaseUrl: string;
}
