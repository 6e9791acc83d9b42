import {
  Env,
  HTTP_ADDRESS,
  HttpsInProduction,
  POSTGRES_ADDRESS,
  StoresConfig,
  withSecretsKey,
} from '@constancia/config';
import { IsInt, IsOptional, IsUrl, Matches, Max, Min } from 'class-validator';

/** What every app that answers HTTP is configured with. An app's own configuration class extends it. */
export class HttpConfig extends withSecretsKey(StoresConfig) {
  @Env('DATABASE_REPLICA_URL', {
    description:
      'A hot standby of Postgres, or a pooler before it, as the same role: lists, exports and statistics whose answers may be ten seconds old are read there. Left out: all of them are read where everything else is',
    secret: true,
    holds: 'postgres',
  })
  @IsOptional()
  @IsUrl(POSTGRES_ADDRESS)
  databaseReplicaUrl?: string;

  @Env('PORT', { description: 'Port of the public API', default: '3000' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number;

  @Env('BASE_URL', {
    description: 'Public address of the platform host; problem types begin with it',
    default: 'http://localhost:3000',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  baseUrl: string;

  @Env('COMPLIANCE_URL', {
    description: 'Public address of the compliance host; an answer to a path of that host names it',
    default: 'http://localhost:3001',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  complianceUrl: string;

  @Env('SIGNING_URL', {
    description: 'Public address of the signing host; addresses of public keys begin with it',
    default: 'http://localhost:3002',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  signingUrl: string;

  @Env('CONSOLE_URL', {
    description:
      'Public address of the console, the page of members: its origin alone may call the API from a browser (CORS); left out: none may',
  })
  @IsOptional()
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  consoleUrl?: string;

  @Env('TRUSTED_PROXY_HOPS', {
    description: 'How many proxies in front are ours; X-Forwarded-For is read through exactly these (0 = ignored)',
    default: '0',
  })
  @IsInt()
  @Min(0)
  @Max(10)
  trustedProxyHops: number;

  @Env('RATE_LIMIT_TENANT', { description: 'Requests a minute per tenant and IP address on /v1/*', default: '120' })
  @IsInt()
  @Min(1)
  rateLimitTenant: number;

  @Env('RATE_LIMIT_TENANT_TOTAL', {
    description:
      'Requests a minute per tenant on /v1/*, across all its addresses; unset: ten times RATE_LIMIT_TENANT (1,200)',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  rateLimitTenantTotal?: number;

  @Env('RATE_LIMIT_IP', { description: 'Requests a minute per IP address elsewhere', default: '120' })
  @IsInt()
  @Min(1)
  rateLimitIp: number;

  @Env('RATE_LIMIT_WRONG_KEY', {
    description: 'Requests a minute per IP address with a missing or wrong API key',
    default: '30',
  })
  @IsInt()
  @Min(1)
  rateLimitWrongKey: number;

  @Env('READ_BUDGET_SECONDS', {
    description:
      'Time of the store that the reads (GET) of a tenant may use in a minute; statements of a read that take less than 0.05 s in all are free. Beyond it reads get 429',
    default: '30',
  })
  @IsInt()
  @Min(1)
  readBudgetSeconds: number;

  @Env('MAX_BODY_MEMORY_MB', {
    description: 'Memory for request bodies over 64 KB, in all; one tenant gets half. Beyond it uploads get 503',
    default: '256',
  })
  @IsInt()
  @Min(64)
  maxBodyMemoryMb: number;

  @Env('CONFIGURATION_TRUSTED_KEYS', {
    description:
      'Thumbprints of the keys whose configuration archives are imported, in addition to that of this deployment. Empty: archives of every deployment are imported, and the dry run names the key',
    default: '',
  })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { each: true, message: 'must be thumbprints (43 characters of base64url)' })
  configurationTrustedKeys: string[];

  @Env('DRAIN_SECONDS', {
    description: 'After SIGTERM: how long to go on serving while load balancers look away',
    default: '0',
  })
  override drainSeconds: number;

  @Env('ASSETS_DIR', { description: 'Folder of static files beside the bundle; left out: assets/ beside the program' })
  @IsOptional()
  assetsDir?: string;
}
