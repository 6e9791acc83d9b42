import { Equals, IsEmail, IsOptional, IsString, IsUrl, Matches, MinLength, ValidateIf } from 'class-validator';
import { Env } from './env.ts';
import { IsSecretKeys } from './is-secret-keys.ts';
import { NotInProduction } from './not-in-production.ts';
import type { ProcessConfig } from './process-config.ts';
import { HTTP_ADDRESS, SMTP_ADDRESS } from './url-rules.ts';

/** A configuration class: `class SigningConfig extends withObjectStore(HttpConfig)`. */
type ConfigClass<Config extends object> = new () => Config;

export interface SecretsKeyConfig {
  secretsKey: string;
  derivedKeys: boolean;
}

/** Adds SECRETS_KEY, for processes that read or write secrets at rest. */
export function withSecretsKey<Config extends object>(
  Base: ConfigClass<Config>,
): ConfigClass<Config & SecretsKeyConfig> {
  class WithSecretsKey extends (Base as ConfigClass<object>) implements SecretsKeyConfig {
    @Env('SECRETS_KEY', { description: 'Seals secrets at rest; the same for every app', secret: true, holds: 'keys' })
    @IsSecretKeys()
    secretsKey: string;

    @Env('DERIVED_KEYS', {
      description:
        'Write with keys derived from SECRETS_KEY per purpose; they are read in any case. Set it once no copy of the first release runs: after that there is no roll back to it',
      default: 'false',
    })
    derivedKeys: boolean;
  }
  return WithSecretsKey as ConfigClass<Config & SecretsKeyConfig>;
}

export interface ObjectStoreConfig {
  storageDir?: string;
  s3Bucket?: string;
  s3Endpoint?: string;
  s3Region?: string;
  s3ForcePathStyle: boolean;
  s3AccessKeyId?: string;
  s3SecretAccessKey?: string;
}

/** Adds STORAGE_DIR and S3_*, for processes that store documents. */
export function withObjectStore<Config extends object>(
  Base: ConfigClass<Config>,
): ConfigClass<Config & ObjectStoreConfig> {
  class WithObjectStore extends (Base as ConfigClass<object>) implements ObjectStoreConfig {
    @Env('STORAGE_DIR', { description: 'Folder for documents; needed without S3_BUCKET' })
    @ValidateIf((config: WithObjectStore) => config.s3Bucket === undefined)
    @IsString({ message: 'must name a folder; it is needed without S3_BUCKET' })
    storageDir?: string;

    @Env('S3_BUCKET', { description: 'Bucket for documents; wins over STORAGE_DIR' })
    @IsOptional()
    @IsString()
    s3Bucket?: string;

    @Env('S3_ENDPOINT', { description: 'Address of an S3-compatible store; left out: AWS', holds: 's3' })
    @IsOptional()
    @IsUrl(HTTP_ADDRESS)
    s3Endpoint?: string;

    @Env('S3_REGION', { description: 'Region of the bucket' })
    @IsOptional()
    @IsString()
    s3Region?: string;

    @Env('S3_FORCE_PATH_STYLE', { description: 'Name the bucket in the path instead of the host', default: 'false' })
    s3ForcePathStyle: boolean;

    @Env('S3_ACCESS_KEY_ID', {
      description: 'Key of the bucket alone, where it is not at AWS; left out: the credentials that KMS is asked with',
    })
    @IsOptional()
    @IsString()
    s3AccessKeyId?: string;

    @Env('S3_SECRET_ACCESS_KEY', { description: 'Secret of S3_ACCESS_KEY_ID', secret: true })
    @ValidateIf((config: WithObjectStore) => config.s3AccessKeyId !== undefined)
    @IsString({ message: 'is needed with S3_ACCESS_KEY_ID' })
    s3SecretAccessKey?: string;
  }
  return WithObjectStore as ConfigClass<Config & ObjectStoreConfig>;
}

export interface WebhookTargetsConfig {
  webhookAllowLoopback: boolean;
  webhookPorts: string[];
}

/** Adds where webhooks may go: what registration refuses, delivery refuses too. */
export function withWebhookTargets<Config extends ProcessConfig>(
  Base: ConfigClass<Config>,
): ConfigClass<Config & WebhookTargetsConfig> {
  class WithWebhookTargets extends (Base as ConfigClass<ProcessConfig>) implements WebhookTargetsConfig {
    @Env('WEBHOOK_ALLOW_LOOPBACK', {
      description:
        'Allow webhooks and OpenID providers of tenants over http and at loopback addresses too; refused in production',
      default: 'false',
    })
    @ValidateIf((config: WithWebhookTargets) => config.environment === 'production')
    @Equals(false, { message: 'must be false in production' })
    webhookAllowLoopback: boolean;

    @Env('WEBHOOK_PORTS', { description: 'Ports of public hosts that webhooks may go to', default: '443,8443' })
    @Matches(/^\d{1,5}$/, { each: true, message: 'must be port numbers' })
    webhookPorts: string[];
  }
  return WithWebhookTargets as unknown as ConfigClass<Config & WebhookTargetsConfig>;
}

export interface KmsConfig {
  awsRegion: string;
  kmsEndpoint?: string;
}

/** Adds where KMS is. A key behind another address than AWS's own proves nothing to anybody. */
export function withKms<Config extends ProcessConfig>(Base: ConfigClass<Config>): ConfigClass<Config & KmsConfig> {
  class WithKms extends (Base as ConfigClass<ProcessConfig>) implements KmsConfig {
    @Env('AWS_REGION', { description: 'Region of the keys, and of the other services of AWS', default: 'us-east-1' })
    @IsString()
    awsRegion: string;

    @Env('KMS_ENDPOINT', { description: 'A development KMS; refused in production. Left out: AWS' })
    @ValidateIf((config: WithKms) => config.kmsEndpoint !== undefined)
    @IsUrl(HTTP_ADDRESS)
    @NotInProduction()
    kmsEndpoint?: string;
  }
  return WithKms as unknown as ConfigClass<Config & KmsConfig>;
}

export interface DataKeysConfig extends KmsConfig {
  /** Of DataKeys: several are separated by commas. */
  dataKeyId: string;
}

/** Adds the key that the subjects' data keys are wrapped with, for processes that read or write personal data. */
export function withDataKeys<Config extends ProcessConfig>(
  Base: ConfigClass<Config>,
): ConfigClass<Config & DataKeysConfig> {
  class WithDataKeys extends withKms(Base as ConfigClass<ProcessConfig>) implements DataKeysConfig {
    @Env('DATA_KEY_ID', {
      description:
        'The key that data keys of tenants and subjects are wrapped with: id, ARN or alias of a symmetric key in KMS. Of several, separated by commas, the first wraps, and each unwraps what it wrapped',
    })
    @Matches(/^[^\s,]+(,[^\s,]+)*$/, { message: 'must be ids, ARNs or aliases, separated by commas, without spaces' })
    dataKeyId: string;
  }
  return WithDataKeys as unknown as ConfigClass<Config & DataKeysConfig>;
}

export interface ArchiveKeyConfig extends KmsConfig {
  archiveKeyId?: string;
}

/** Adds the key that signs files of old history, for processes that archive it. */
export function withArchiveKey<Config extends KmsConfig>(
  Base: ConfigClass<Config>,
): ConfigClass<Config & ArchiveKeyConfig> {
  class WithArchiveKey extends (Base as ConfigClass<object>) {
    @Env('ARCHIVE_KEY_ID', {
      description:
        'The key that archived files are signed with: id, ARN or alias of an RSA key in KMS. Left out: nothing can be archived',
    })
    @IsOptional()
    @IsString()
    @MinLength(1)
    archiveKeyId?: string;
  }
  return WithArchiveKey as unknown as ConfigClass<Config & ArchiveKeyConfig>;
}

export interface MailConfig {
  smtpUrl: string;
  mailFrom: string;
}

/** Adds where mails are handed in and who sends them. */
export function withMail<Config extends object>(Base: ConfigClass<Config>): ConfigClass<Config & MailConfig> {
  class WithMail extends (Base as ConfigClass<object>) implements MailConfig {
    @Env('SMTP_URL', { description: 'Mail server', secret: true, holds: 'smtp' })
    @IsUrl(SMTP_ADDRESS)
    smtpUrl: string;

    @Env('MAIL_FROM', { description: 'Sender of mails: an address, or a name with an address in angle brackets' })
    @IsEmail({ allow_display_name: true, require_tld: false })
    mailFrom: string;
  }
  return WithMail as ConfigClass<Config & MailConfig>;
}
