import { SigningKms } from '@constancia/kms';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { DeleteSigningSettings } from './delete-signing-settings.ts';
import { PutSigningSettings } from './put-signing-settings.ts';
import { ShowSigningSettings } from './show-signing-settings.ts';
import { SigningSettings } from './signing-settings.ts';
import { WatchCertificates } from './watch-certificates.ts';

/** Only tries keys that tenants name: what seals has a connection of its own. */
const kms = {
  provide: SigningKms,
  inject: [SigningConfig],
  useFactory: ({ awsRegion, kmsEndpoint }: SigningConfig) =>
    new SigningKms({ region: awsRegion, endpoint: kmsEndpoint, maxPerSecond: 20 }),
};

@Module({
  controllers: [ShowSigningSettings, PutSigningSettings, DeleteSigningSettings],
  providers: [kms, SigningSettings, WatchCertificates],
  exports: [SigningSettings],
})
export class SigningSettingsModule implements OnApplicationShutdown {
  constructor(private readonly signingKms: SigningKms) {}

  onApplicationShutdown(): void {
    this.signingKms.close();
  }
}
