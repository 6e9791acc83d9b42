import { Env } from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, ValidateIf } from 'class-validator';

/** Base64 of 32 bytes; several, comma-separated, while a key is being rotated. */
const KEYS = /^[A-Za-z0-9+/]{43}=(\s*,\s*[A-Za-z0-9+/]{43}=)*$/;
const KEYS_MESSAGE = 'must be base64 of 32 bytes, or a comma-separated list of such, the current one first';

const POSTGRES = { protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true };
const REDIS = { protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true };
const HTTP = { protocols: ['http', 'https'], require_tld: false, require_protocol: true };

/** What the signing process is configured with. */
export class SigningConfig extends HttpConfig {
  @Env('DATABASE_URL', { description: 'Postgres, as the role signing_app', secret: true })
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
  @ValidateIf((config: SigningConfig) => config.redisUrl === undefined)
  @IsUrl(POSTGRES, { message: 'must be a postgres:// address; it is needed without REDIS_URL' })
  queueDatabaseUrl?: string;

  @Env('SECRETS_KEY', { description: 'Seals secrets at rest; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  secretsKey: string;

  @Env('QUEUE_SEALING_KEY', { description: 'Seals what crosses a queue; the same for every app', secret: true })
  @Matches(KEYS, { message: KEYS_MESSAGE })
  queueSealingKey: string;

  @Env('SIGNING_URL', {
    description: 'Public address of the signing host; addresses of public keys begin with it',
    default: 'http://localhost:3002',
  })
  @IsUrl(HTTP)
  signingUrl: string;

  @Env('STORAGE_DIR', { description: 'Folder for documents; needed without S3_BUCKET' })
  @ValidateIf((config: SigningConfig) => config.s3Bucket === undefined)
  @IsString({ message: 'must name a folder; it is needed without S3_BUCKET' })
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

  @Env('INSPECTION_PROCESSES', { description: 'Processes that read uploaded PDFs', default: '1' })
  @IsInt()
  @Min(1)
  @Max(64)
  inspectionProcesses: number;

  @Env('INSPECTION_MEMORY_MB', { description: 'Memory that each of them may use', default: '512' })
  @IsInt()
  @Min(128)
  inspectionMemoryMb: number;

  @Env('INSPECTION_DEADLINE_MS', { description: 'Time that one upload may take to be read', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(20_000)
  inspectionDeadlineMs: number;
}

/** What `node main.js migrate` is configured with. */
export class MigrationConfig {
  @Env('MIGRATION_DATABASE_URL', { description: 'Postgres, as the role signing_owner', secret: true })
  @IsUrl(POSTGRES)
  databaseUrl: string;
}
