import { Module } from '@nestjs/common';
import { Decline } from './decline.ts';
import { EnterAccessCode } from './enter-access-code.ts';
import { GetDocument } from './get-document.ts';
import { GetState } from './get-state.ts';
import { GiveConsent } from './give-consent.ts';
import { SendOtp } from './send-otp.ts';
import { Sign } from './sign.ts';
import { KeepDraft } from './keep-draft.ts';
import { NotMe } from './not-me.ts';
import { RenewLink } from './renew-link.ts';
import { VerifyOtp } from './verify-otp.ts';

/** The public signer endpoints. */
@Module({
  controllers: [
    GetState,
    GetDocument,
    GiveConsent,
    SendOtp,
    VerifyOtp,
    EnterAccessCode,
    KeepDraft,
    Sign,
    Decline,
    NotMe,
    RenewLink,
  ],
})
export class SignModule {}
