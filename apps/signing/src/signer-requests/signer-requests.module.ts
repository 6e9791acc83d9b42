import { Module } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { SignaturesModule } from '../signatures/signatures.module.ts';
import { SignersByToken } from './find-signer.ts';
import { OtpCodes } from './otp-codes.ts';
import { SignerDrafts } from './signer-drafts.ts';
import { SignerRequests } from './signer-requests.ts';

/** What every request of a signer begins with: whose link it is, what was proved, what comes next. */
@Module({
  imports: [MailsModule, SignaturesModule],
  providers: [
    SignersByToken,
    SignerDrafts,
    SignerRequests,
    { provide: OtpCodes, inject: [SigningConfig], useFactory: (config: SigningConfig) => OtpCodes.ofSecret(config) },
  ],
  exports: [SignersByToken, SignerDrafts, SignerRequests, OtpCodes],
})
export class SignerRequestsModule {}
