import type { Environment } from '@constancia/contracts';
import { IsIn, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { CONNECTIONS } from './cleartext.ts';
import { Env } from './env.ts';
import { HTTP_ADDRESS } from './url-rules.ts';

/** What every process is configured with. */
export class ProcessConfig {
  @Env('SERVICE_ENVIRONMENT', {
    description:
      'sandbox or production; one deployment is one of them. There is no default, so that no deployment is either by accident',
    type: 'string',
  })
  @IsIn(['sandbox', 'production'])
  environment: Environment;

  @Env('ACCEPTED_CLEARTEXT', {
    description:
      'In production: connections that something else encrypts (a sidecar, a mesh), of smtp, redis, postgres, s3',
  })
  @IsOptional()
  @IsIn(CONNECTIONS, { each: true })
  acceptedCleartext: string[] = [];

  @Env('HOST', { description: 'Address to listen on', default: '0.0.0.0' })
  host: string;

  @Env('OPS_PORT', { description: 'Port of /metrics, /livez and /readyz for operators; 0 = off', default: '0' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  opsPort: number;

  @Env('OPS_TOKEN', {
    description: 'What operators show on OPS_PORT to do more than look, 32 characters at least; left out: they cannot',
    secret: true,
    holds: 'token',
  })
  @IsOptional()
  @MinLength(32)
  opsToken?: string;

  @Env('OPS_TOKENS_FILE', {
    description:
      'File with a token of each operator: a JSON list of name, sha256 of the token, and roles (read, act, grant). Takes precedence over OPS_TOKEN, which identifies nobody; read again when it changes',
  })
  @IsOptional()
  @IsString()
  opsTokensFile?: string;

  @Env('OPS_HOSTS', {
    description: 'Host names of the ops port in addition to localhost, its addresses and the machine’s name',
  })
  @IsOptional()
  @Matches(/^[a-z0-9.-]{1,253}$/, { each: true, message: 'must be host names in lower case, without ports' })
  opsHosts: string[] = [];

  @Env('LOG_LEVEL', { description: 'trace, debug, info, warn, error, fatal or silent', default: 'info' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: string;

  @Env('DRAIN_SECONDS', {
    description: 'After SIGTERM: how long what a queue brought may take to end',
    default: '25',
  })
  @IsInt()
  @Min(0)
  @Max(300)
  drainSeconds: number;

  @Env('OTEL_EXPORTER_OTLP_ENDPOINT', { description: 'Where traces go (OTLP over HTTP); left out: no tracing' })
  @IsOptional()
  @IsUrl(HTTP_ADDRESS)
  otlpEndpoint?: string;
}
