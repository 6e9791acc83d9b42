import { Module } from '@nestjs/common';
import { DownloadCertificate } from './download-certificate.ts';
import { DownloadPublicKey } from './download-public-key.ts';
import { ListSigningKeys } from './list-signing-keys.ts';
import { SigningKeys } from './signing-keys.ts';

@Module({
  controllers: [ListSigningKeys, DownloadPublicKey, DownloadCertificate],
  providers: [SigningKeys],
  exports: [SigningKeys],
})
export class SigningKeysModule {}
