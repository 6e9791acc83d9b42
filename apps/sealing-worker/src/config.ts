import { Env } from '@constancia/config';
import type { Environment } from '@constancia/contracts';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

/** Base64 of 32 bytes; several, comma-separated, while a key is being rotated. */
const KEYS = /^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/;
const KEYS_MESSAGE = 'must be base64 of 32 bytes, or a comma-separated list of such, the current one first';

const POSTGRES = { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true };
const REDIS = { protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true };
const HTTP = { protocols: ['http', 'https'], require_tld: false, require_protocol: true };

/** A key behind another address than AWS's own proves nothing to anybody. */
const NotInProduction = () =>
  ValidateBy({
    name: 'notInProduction',
    validator: {
      validate: (_, args) => (args?.object as SealingConfig).environment !== 'production',
      defaultMessage: () => 'must be left out in production',
    },
  });

/** What the sealing worker is configured with. */
export class SealingConfig {
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

  @Env('DATABASE_URL', { description: 'Postgres, as the role signing_app', secret: true })
  @IsUrl(POSTGRES)
  databaseUrl: string;

  @Env('DATABASE_POOL_SIZE', { description: 'Connections to Postgres at the most', default: '10' })
  @IsInt()
  @Min(2)
  databasePoolSize: number;

  @Env('REDIS_URL', { description: 'Redis for queues; left out: Postgres', secret: true })
  @IsOptional()
  @IsUrl(REDIS)
  redisUrl?: string;

  @Env('QUEUE_DATABASE_URL', {
    description: 'Postgres for the queues, as the role queue_app; needed without REDIS_URL',
    secret: true,
  })
  @ValidateIf((config: SealingConfig) => config.redisUrl === undefined)
  @IsUrl(POSTGRES)
  queueDatabaseUrl?: string;

  @Env('QUEUE_SEALING_KEY', { description: 'Seals what crosses a queue; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  queueSealingKey: string;

  @Env('STORAGE_DIR', { description: 'Folder for documents; needed without S3_BUCKET' })
  @ValidateIf((config: SealingConfig) => config.s3Bucket === undefined)
  @IsString()
  storageDir?: string;

  @Env('S3_BUCKET', { description: 'Bucket for documents; wins over STORAGE_DIR' })
  @IsOptional()
  @IsString()
  s3Bucket?: string;

  @Env('S3_ENDPOINT', { description: 'Address of an S3-compatible store; left out: AWS' })
  @IsOptional()
  @IsUrl(HTTP)
  s3Endpoint?: string;

  @Env('S3_REGION', { description: 'Region of the bucket' })
  @IsOptional()
  @IsString()
  s3Region?: string;

  @Env('S3_FORCE_PATH_STYLE', { description: 'Name the bucket in the path instead of the host', default: 'false' })
  s3ForcePathStyle: boolean;

  @Env('AWS_REGION', { description: 'Region of the signing key', default: 'us-east-1' })
  @IsString()
  awsRegion: string;

  @Env('KMS_KEY_ID', { description: 'The key that documents are signed with: id, ARN or alias of an RSA key in KMS' })
  @IsString()
  @MinLength(1)
  kmsKeyId: string;

  @Env('KMS_ENDPOINT', { description: 'A development KMS; refused in production. Left out: AWS' })
  @ValidateIf((config: SealingConfig) => config.kmsEndpoint !== undefined)
  @IsUrl(HTTP)
  @NotInProduction()
  kmsEndpoint?: string;

  @Env('KMS_MAX_PER_SECOND', {
    description: 'Signatures per second that this process asks KMS for; all processes share the quota of their account',
    default: '200',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  kmsMaxPerSecond: number;

  @Env('SEALING_PROCESSES', { description: 'Processes that draw on PDFs', default: '2' })
  @IsInt()
  @Min(1)
  @Max(64)
  processes: number;

  @Env('SEALING_MEMORY_MB', { description: 'Memory that each of them may use', default: '512' })
  @IsInt()
  @Min(128)
  memoryMb: number;

  @Env('SEALING_DEADLINE_MS', { description: 'Time that one document may take to be drawn', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(60_000)
  deadlineMs: number;

  @Env('SEALING_GIVE_UP_SECONDS', {
    description: 'Age at which a request that KMS or the storage keeps from being sealed fails and is refunded',
    default: '900',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  giveUpSeconds: number;

  @Env('SEALING_TEMPLATE_CACHE_MB', {
    description: 'Memory for templates that are used again and again',
    default: '128',
  })
  @IsInt()
  @Min(32)
  @Max(4_096)
  templateCacheMb: number;

  @Env('LOG_LEVEL', { description: 'trace, debug, info, warn, error, fatal or silent', default: 'info' })
  @IsIn(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  logLevel: string;

  @Env('OTEL_EXPORTER_OTLP_ENDPOINT', { description: 'Where traces go (OTLP over HTTP); left out: no tracing' })
  @IsOptional()
  @IsUrl(HTTP)
  otlpEndpoint?: string;
}
