import {
  Env,
  MigrationConfig,
  POSTGRES_ADDRESS,
  withDataKeys,
  withMail,
  withObjectStore,
  withSecretsKey,
  withWebhookTargets,
} from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { IsInt, IsUrl, Max, Min } from 'class-validator';

/** What the platform process is configured with. */
export class PlatformConfig extends withMail(withObjectStore(withDataKeys(withWebhookTargets(HttpConfig)))) {
  /** BASE_URL, without a slash at its end. */
  get apiUrl(): string {
    return this.baseUrl.replace(/\/+$/, '');
  }

  @Env('IDENTITY_DATABASE_URL', { description: 'Postgres, as the role identity_app', secret: true, holds: 'postgres' })
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseUrl: string;

  @Env('STEP_WAIT_MS', {
    description: 'How long advance waits for the work of an identity step before it answers `processing`',
    default: '25000',
  })
  @IsInt()
  @Min(0)
  @Max(27_000)
  stepWaitMs: number;

  @Env('STEP_DEADLINE_MS', {
    description:
      'After how long the work of an identity step that nobody ended counts as failed, and its credits come back',
    default: '120000',
  })
  @IsInt()
  @Min(1_000)
  @Max(3_600_000)
  stepDeadlineMs: number;

  @Env('PICTURE_PROCESSES', { description: 'Processes that decode uploaded pictures', default: '1' })
  @IsInt()
  @Min(1)
  @Max(64)
  pictureProcesses: number;

  @Env('PICTURE_MEMORY_MB', { description: 'Memory that each of them may use', default: '512' })
  @IsInt()
  @Min(128)
  pictureMemoryMb: number;

  @Env('PICTURE_DEADLINE_MS', { description: 'Time that one picture may take to be decoded', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(20_000)
  pictureDeadlineMs: number;

  @Env('RATE_LIMIT_SIGNUP', {
    description:
      'Requests per 15 minutes and IP address on /signup; the same again on key recovery, and on proofs of an owner’s address',
    default: '5',
  })
  @IsInt()
  @Min(1)
  rateLimitSignup: number;

  @Env('OPS_GRANT_LIMIT', {
    description: 'Credits that one operator may grant in 24 hours; more need the approval of a second one',
    default: '10000',
  })
  @IsInt()
  @Min(0)
  opsGrantLimit: number;
}

/** What `migrate` is configured with: the platform's app holds two schemas, each with an owner of its own. */
export class PlatformMigrationConfig extends MigrationConfig {
  @Env('IDENTITY_MIGRATION_DATABASE_URL', {
    description: 'Postgres, as the role identity_owner',
    secret: true,
    holds: 'postgres',
  })
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseUrl: string;
}

/** What `reseal` is configured with. */
export class PlatformResealConfig extends withSecretsKey(PlatformMigrationConfig) {}
