import { SigningKms } from '@constancia/kms';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SealingConfig } from './config.ts';
import { DocumentSigner } from './document-signer.ts';
import { SigningCertificates } from './signing-certificates.ts';
import { TenantKeys } from './tenant-keys/tenant-keys.ts';
import { TimestampAuthority } from './timestamp-authority.ts';

const kms = {
  provide: SigningKms,
  inject: [SealingConfig],
  useFactory: ({ awsRegion, kmsEndpoint, kmsMaxPerSecond }: SealingConfig) =>
    new SigningKms({ region: awsRegion, endpoint: kmsEndpoint, maxPerSecond: kmsMaxPerSecond }),
};
/** Null where no authority is configured. */
const authority = {
  provide: TimestampAuthority,
  inject: [SealingConfig],
  useFactory: ({ tsaUrl }: SealingConfig) => (tsaUrl === undefined ? null : new TimestampAuthority(tsaUrl)),
};

/** Provides the key that documents are signed with, its certificates, and the time-stamping authority. */
@Module({
  providers: [kms, authority, SigningCertificates, TenantKeys, DocumentSigner],
  exports: [DocumentSigner, authority],
})
export class SigningKeyModule implements OnApplicationShutdown {
  constructor(
    private readonly signingKms: SigningKms,
    @Inject(TimestampAuthority) private readonly timestamps: TimestampAuthority | null,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.signingKms.close();
    await this.timestamps?.close();
  }
}
