import { Env } from '@constancia/config';
import type { Environment } from '@constancia/contracts';
import { Equals, IsEmail, IsIn, IsInt, IsOptional, IsUrl, Matches, Max, Min, ValidateIf } from 'class-validator';

/** Base64 of 32 bytes; several, comma-separated, while a key is being rotated. */
const KEYS = /^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/;
const KEYS_MESSAGE = 'must be base64 of 32 bytes, or a comma-separated list of such, the current one first';

const POSTGRES = { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true };
const REDIS = { protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true };
const SMTP = { protocols: ['smtp', 'smtps'], require_tld: false, require_protocol: true };
const HTTP = { protocols: ['http', 'https'], require_tld: false, require_protocol: true };

/** What the webhook dispatcher is configured with. */
export class DispatcherConfig {
  @Env('SERVICE_ENVIRONMENT', {
    description: 'sandbox or production; one deployment is one of them',
    default: 'sandbox',
    type: 'string',
  })
  @IsIn(['sandbox', 'production'])
  environment: Environment;

  @Env('HOST', { description: 'Address of the ops port', default: '0.0.0.0' })
  host: string;

  @Env('OPS_PORT', { description: 'Port of /metrics, /livez and /readyz for operators; 0 = off', default: '0' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  opsPort: number;

  @Env('DATABASE_URL', { description: 'Postgres, as the role platform_app', secret: true })
  @IsUrl(POSTGRES)
  databaseUrl: string;

  @Env('DATABASE_POOL_SIZE', { description: 'Connections to Postgres at the most', default: '10' })
  @IsInt()
  @Min(4)
  databasePoolSize: number;

  @Env('REDIS_URL', { description: 'Redis for queues; left out: Postgres', secret: true })
  @IsOptional()
  @IsUrl(REDIS)
  redisUrl?: string;

  @Env('QUEUE_DATABASE_URL', {
    description: 'Postgres for the queues, as the role queue_app; needed without REDIS_URL',
    secret: true,
  })
  @ValidateIf((config: DispatcherConfig) => config.redisUrl === undefined)
  @IsUrl(POSTGRES)
  queueDatabaseUrl?: string;

  @Env('SECRETS_KEY', { description: 'Seals secrets at rest; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  secretsKey: string;

  @Env('QUEUE_SEALING_KEY', { description: 'Seals what crosses a queue; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  queueSealingKey: string;

  @Env('SMTP_URL', { description: 'Mail server; left out: owners are told by event only', secret: true })
  @IsOptional()
  @IsUrl(SMTP)
  smtpUrl?: string;

  @Env('MAIL_FROM', { description: 'Sender of mails: an address, or a name with an address in angle brackets' })
  @ValidateIf((config: DispatcherConfig) => config.smtpUrl !== undefined)
  @IsEmail({ allow_display_name: true, require_tld: false })
  mailFrom?: string;

  @Env('WEBHOOK_ALLOW_LOOPBACK', {
    description: 'Send webhooks over http and to loopback addresses too; refused in production',
    default: 'false',
  })
  @ValidateIf((config: DispatcherConfig) => config.environment === 'production')
  @Equals(false, { message: 'must be false in production' })
  webhookAllowLoopback: boolean;

  @Env('WEBHOOK_PORTS', { description: 'Ports of public hosts that webhooks may go to', default: '443,8443' })
  @Matches(/^\d{1,5}$/, { each: true, message: 'must be port numbers' })
  webhookPorts: string[];

  @Env('WEBHOOK_RETENTION_DAYS', { description: 'How long events, deliveries and attempts are kept', default: '30' })
  @IsInt()
  @Min(7)
  @Max(3_650)
  retentionDays: number;

  @Env('WEBHOOK_REPLAY_RATE', {
    description: 'Deliveries per second that a replay run puts back in line',
    default: '100',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  replayRate: number;

  @Env('LOG_LEVEL', { description: 'trace, debug, info, warn, error, fatal or silent', default: 'info' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: string;

  @Env('OTEL_EXPORTER_OTLP_ENDPOINT', { description: 'Where traces go (OTLP over HTTP); left out: no tracing' })
  @IsOptional()
  @IsUrl(HTTP)
  otlpEndpoint?: string;
}
