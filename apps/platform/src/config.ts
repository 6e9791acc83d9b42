import {
  Env,
  HTTP_ADDRESS,
  HttpsInProduction,
  MigrationConfig,
  POSTGRES_ADDRESS,
  withDataKeys,
  withMail,
  withObjectStore,
  withSecretsKey,
  withWebhookTargets,
} from '@constancia/config';
import { HttpConfig } from '@constancia/http';
import { ArrayMaxSize, IsInt, IsOptional, IsString, IsUrl, Matches, Max, Min, MinLength } from 'class-validator';
import { BUNDLE } from './billing/topup/bundles.ts';

/** What the platform process is configured with. */
export class PlatformConfig extends withMail(withObjectStore(withDataKeys(withWebhookTargets(HttpConfig)))) {
  /** BASE_URL, without a slash at its end. */
  get apiUrl(): string {
    return this.baseUrl.replace(/\/+$/, '');
  }

  @Env('CONSOLE_URL', {
    description:
      'Public address of the console, where members of tenants sign in; its origin alone may call the API from a browser (CORS)',
    default: 'http://localhost:3009',
  })
  override consoleUrl: string;

  /** CONSOLE_URL, without a slash at its end. */
  get consoleAddress(): string {
    return this.consoleUrl.replace(/\/+$/, '');
  }

  @Env('CONSOLE_PORT', { description: 'Port of that host', default: '3009' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  consolePort: number;

  @Env('PERSON_URL', {
    description: 'Public address of the host on which subjects take part: capture page and embedded pages',
    default: 'http://localhost:3016',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  personUrl: string;

  /** PERSON_URL, without a slash at its end. */
  get personAddress(): string {
    return this.personUrl.replace(/\/+$/, '');
  }

  @Env('PERSON_PORT', { description: 'Port of that host', default: '3016' })
  @IsInt()
  @Min(0)
  @Max(65_535)
  personPort: number;

  @Env('IDENTITY_DATABASE_URL', { description: 'Postgres, as the role identity_app', secret: true, holds: 'postgres' })
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseUrl: string;

  @Env('IDENTITY_DATABASE_DIRECT_URL', {
    description: 'The same for IDENTITY_DATABASE_URL as DATABASE_DIRECT_URL for DATABASE_URL',
    secret: true,
    holds: 'postgres',
  })
  @IsOptional()
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseDirectUrl?: string;

  @Env('IDENTITY_DATABASE_REPLICA_URL', {
    description: 'The same for IDENTITY_DATABASE_URL as DATABASE_REPLICA_URL for DATABASE_URL',
    secret: true,
    holds: 'postgres',
  })
  @IsOptional()
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseReplicaUrl?: string;

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

  @Env('PAYMENT_PROVIDER_URL', {
    description: 'Address of the payment provider (Mercado Pago, or a server with its wire protocol)',
    default: 'https://api.mercadopago.com',
  })
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  paymentProviderUrl: string;

  @Env('PAYMENT_ACCESS_TOKEN', {
    description: 'Access token of the account that payments are made to; left out: no top-ups',
    secret: true,
  })
  @IsOptional()
  @IsString()
  @MinLength(16)
  paymentAccessToken?: string;

  @Env('PAYMENT_WEBHOOK_SECRETS', {
    description: 'Secrets that the provider signs its callbacks with; two while one replaces the other',
    secret: true,
    type: 'list',
  })
  @IsOptional()
  @MinLength(16, { each: true })
  paymentWebhookSecrets?: string[];

  @Env('PAYMENT_CALLBACK_WINDOW_SECONDS', {
    description: 'How far the signed time of a callback may be from now; beyond it the callback counts as stale',
    default: '300',
  })
  @IsInt()
  @Min(1)
  @Max(86_400)
  paymentCallbackWindowSeconds: number;

  @Env('PAYMENT_TIMEOUT_MS', { description: 'Time that one call of the payment provider may take', default: '8000' })
  @IsInt()
  @Min(100)
  @Max(20_000)
  paymentTimeoutMs: number;

  @Env('CREDIT_PRICE_USD_MICROS', { description: 'Price of a credit, in millionths of a USD', default: '10000' })
  @IsInt()
  @Min(1)
  @Max(100_000_000)
  creditPriceUsdMicros: number;

  @Env('TOPUP_BUNDLES', {
    description: 'Bundles of top-ups: `<code>:<least amount in COP>:<bonus in percent>`',
    default: 'plus:500000:5,pro:2000000:10,max:10000000:15',
    type: 'list',
  })
  @ArrayMaxSize(20)
  @Matches(BUNDLE, { each: true, message: 'each bundle is <code>:<least amount in COP>:<bonus in percent>' })
  topupBundles: string[];

  @Env('TRM_SOCRATA_URL', {
    description:
      'The exchange rate (TRM) in the public register, asked first: https://www.datos.gov.co/resource/32sa-8pi3.json; left out: not asked',
  })
  @IsOptional()
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  trmSocrataUrl?: string;

  @Env('TRM_SOAP_URL', {
    description:
      'The exchange rate (TRM) of the Superfinanciera (TCRMServicesWebService), asked second; left out: not asked',
  })
  @IsOptional()
  @IsUrl(HTTP_ADDRESS)
  @HttpsInProduction()
  trmSoapUrl?: string;

  @Env('STATEMENT_KEY_ID', {
    description:
      'The key that statements and archived files are signed with: id, ARN or alias of an RSA key in KMS. Left out: no statements as PDF, no archives',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  statementKeyId?: string;

  @Env('SIGNING_CERTIFICATE_SUBJECT', {
    description: 'Name in the certificate that this key issues to itself, as RFC 4514 writes it',
    default: 'CN=Constancia, O=Constancia, C=CO',
  })
  @Matches(/^[A-Za-z.0-9]+=[^=]+(?:,\s*[A-Za-z.0-9]+=[^=]+)*$/, { message: 'is no name: write it as CN=…, O=…, C=CO' })
  signingCertificateSubject: string;

  @Env('RATE_LIMIT_SIGN_IN', {
    description:
      'Requests for a sign-in code per 15 minutes and IP address on the console host; the same again on codes, on links, and for wallets',
    default: '30',
  })
  @IsInt()
  @Min(1)
  rateLimitSignIn: number;

  @Env('RATE_LIMIT_RECOVERY', {
    description: 'Requests about recoveries of wallets (/v1/wallet/recovery/…) per minute and IP address',
    default: '5',
  })
  @IsInt()
  @Min(1)
  rateLimitRecovery: number;

  @Env('LEDGER_ARCHIVE_AFTER_DAYS', {
    description:
      'Age from which entries of the ledger may be archived into files (npm run ops -- archive run --reason …); nothing archives them by itself',
    default: '3653',
  })
  @IsInt()
  @Min(400)
  @Max(36_525)
  ledgerArchiveAfterDays: number;

  @Env('SESSION_TRAIL_ARCHIVE_AFTER_DAYS', {
    description:
      'Days after the end of a session from which its trail may be archived into a file (npm run ops -- archive run --history session-trails --reason …); nothing archives it by itself',
    default: '3653',
  })
  @IsInt()
  @Min(400)
  @Max(36_525)
  sessionTrailArchiveAfterDays: number;

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
    description: 'Postgres, as the role identity_owner, without a pooler',
    secret: true,
    holds: 'postgres',
  })
  @IsUrl(POSTGRES_ADDRESS)
  identityDatabaseUrl: string;
}

/** What `reseal` is configured with. */
export class PlatformResealConfig extends withSecretsKey(PlatformMigrationConfig) {}
