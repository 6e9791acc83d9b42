import { Env } from '@constancia/config';
import type { Environment } from '@constancia/contracts';
import { IsIn, IsInt, IsOptional, IsUrl, Max, Min } from 'class-validator';

const LOCAL_URL = { require_tld: false, require_protocol: true, protocols: ['http', 'https'] };

/** What every app that answers HTTP is configured with. An app's own configuration class extends it. */
export class HttpConfig {
  @Env('SERVICE_ENVIRONMENT', {
    description: 'sandbox or production; one deployment is one of them',
    default: 'sandbox',
    type: 'string',
  })
  @IsIn(['sandbox', 'production'])
  environment: Environment;

  @Env('HOST', { description: 'Address to listen on', default: '0.0.0.0' })
  host: string;

  @Env('PORT', { description: 'Port of the public API', default: '3000' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  port: number;

  @Env('OPS_PORT', { description: 'Port of /metrics, /livez and /readyz for operators; 0 = off', default: '0' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  opsPort: number;

  @Env('BASE_URL', {
    description: 'Public address of the platform host; problem types begin with it',
    default: 'http://localhost:3000',
  })
  @IsUrl(LOCAL_URL)
  baseUrl: string;

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

  @Env('LOG_LEVEL', { description: 'trace, debug, info, warn, error, fatal or silent', default: 'info' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: string;

  @Env('DRAIN_SECONDS', {
    description: 'After SIGTERM: how long to go on serving while load balancers look away',
    default: '0',
  })
  @IsInt()
  @Min(0)
  @Max(300)
  drainSeconds: number;

  @Env('OTEL_EXPORTER_OTLP_ENDPOINT', { description: 'Where traces go (OTLP over HTTP); left out: no tracing' })
  @IsOptional()
  @IsUrl(LOCAL_URL)
  otlpEndpoint?: string;

  @Env('ASSETS_DIR', { description: 'Folder of static files beside the bundle; left out: assets/ beside the program' })
  @IsOptional()
  assetsDir?: string;
}
