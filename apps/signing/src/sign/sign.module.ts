import { Module } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import { EnvelopeRecordsModule } from '../envelope-records/envelope-records.module.ts';
import { MailsModule } from '../mails/mails.module.ts';
import { PdfsModule } from '../pdfs.module.ts';
import { SignaturesModule } from '../signatures/signatures.module.ts';
import { SignerRequestsModule } from '../signer-requests/signer-requests.module.ts';
import { CurrentDocuments } from './current-document.ts';
import { Decline } from './decline.ts';
import { EnterAccessCode } from './enter-access-code.ts';
import { GetCopy } from './get-copy.ts';
import { GetDocument } from './get-document.ts';
import { GetState } from './get-state.ts';
import { GiveConsent } from './give-consent.ts';
import { SendOtp } from './send-otp.ts';
import { Sign } from './sign.ts';
import { KeepDraft } from './keep-draft.ts';
import { NotMe } from './not-me.ts';
import { RenewLink } from './renew-link.ts';
import { ShowSenderLogo } from './show-sender-logo.ts';
import { RenewedLinks } from './renewed-links.ts';
import { ValueDigests } from './value-digests.ts';
import { VerifyOtp } from './verify-otp.ts';

/** The public signer endpoints. */
@Module({
  imports: [SignerRequestsModule, EnvelopeRecordsModule, MailsModule, SignaturesModule, PdfsModule],
  controllers: [
    GetState,
    GetDocument,
    GetCopy,
    GiveConsent,
    SendOtp,
    VerifyOtp,
    EnterAccessCode,
    KeepDraft,
    Sign,
    Decline,
    NotMe,
    RenewLink,
    ShowSenderLogo,
  ],
  providers: [
    RenewedLinks,
    CurrentDocuments,
    {
      provide: ValueDigests,
      inject: [SigningConfig],
      useFactory: (config: SigningConfig) => ValueDigests.ofSecret(config),
    },
  ],
  exports: [
    SignerRequestsModule,
    EnvelopeRecordsModule,
    MailsModule,
    SignaturesModule,
    PdfsModule,
    CurrentDocuments,
    ValueDigests,
  ],
})
export class SignModule {}
