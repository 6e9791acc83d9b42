import { IsInt, IsOptional, IsUrl, Min, ValidateIf } from 'class-validator';
import { Env } from './env.ts';
import { IsRedisAddress } from './is-redis-address.ts';
import { IsSecretKeys } from './is-secret-keys.ts';
import { ProcessConfig } from './process-config.ts';
import { POSTGRES_ADDRESS } from './url-rules.ts';

/** What a process on Postgres and the queues is configured with. */
export class StoresConfig extends ProcessConfig {
  @Env('DATABASE_URL', { description: "Postgres, as the app's own role", secret: true, holds: 'postgres' })
  @IsUrl(POSTGRES_ADDRESS)
  databaseUrl: string;

  @Env('DATABASE_DIRECT_URL', {
    description:
      'Postgres itself, as the same role, where DATABASE_URL is a pooler in transaction mode: notices (LISTEN) come over it. Left out: DATABASE_URL is Postgres itself',
    secret: true,
    holds: 'postgres',
  })
  @IsOptional()
  @IsUrl(POSTGRES_ADDRESS)
  databaseDirectUrl?: string;

  @Env('DATABASE_POOL_SIZE', { description: 'Connections to Postgres, at most', default: '10' })
  @IsInt()
  @Min(1)
  databasePoolSize: number;

  @Env('REDIS_URL', {
    description:
      'Redis for queues and rate limits: a server, or of a cluster several nodes, separated by commas; left out: Postgres and memory',
    secret: true,
    holds: 'redis',
  })
  @IsOptional()
  @IsRedisAddress()
  redisUrl?: string;

  @Env('QUEUE_DATABASE_URL', {
    description: 'Postgres for the queues, as the role queue_app, without a pooler; needed without REDIS_URL',
    secret: true,
    holds: 'postgres',
  })
  @ValidateIf((config: StoresConfig) => config.redisUrl === undefined)
  @IsUrl(POSTGRES_ADDRESS, { message: 'must be a postgres:// address, as long as there is no REDIS_URL' })
  queueDatabaseUrl?: string;

  @Env('QUEUE_SEALING_KEY', {
    description: 'Seals what crosses a queue; the same for every app',
    secret: true,
    holds: 'keys',
  })
  @IsSecretKeys()
  queueSealingKey: string;
}

/** What the migrate command of an app is configured with. */
export class MigrationConfig {
  @Env('MIGRATION_DATABASE_URL', {
    description: "Postgres, as the role that owns the app's schema, without a pooler",
    secret: true,
    holds: 'postgres',
  })
  @IsUrl(POSTGRES_ADDRESS)
  databaseUrl: string;
}
