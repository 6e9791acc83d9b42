import { embedControllers, EmbedKinds, EmbedSessions, framedPlace, OldEmbedSessions } from '@constancia/embed-sessions';
import { mounted } from '@constancia/http';
import { Module } from '@nestjs/common';
import { MailsModule } from '../mails/mails.module.ts';
import { Decline } from '../sign/decline.ts';
import { EnterAccessCode } from '../sign/enter-access-code.ts';
import { GetCopy } from '../sign/get-copy.ts';
import { GetDocument } from '../sign/get-document.ts';
import { GetState } from '../sign/get-state.ts';
import { GiveConsent } from '../sign/give-consent.ts';
import { KeepDraft } from '../sign/keep-draft.ts';
import { NotMe } from '../sign/not-me.ts';
import { SendOtp } from '../sign/send-otp.ts';
import { SignModule } from '../sign/sign.module.ts';
import { Sign } from '../sign/sign.ts';
import { VerifyOtp } from '../sign/verify-otp.ts';
import { CompleteIdentity } from '../signer-identity/complete-identity.ts';
import { ShowIdentity } from '../signer-identity/show-identity.ts';
import { SignerIdentityModule } from '../signer-identity/signer-identity.module.ts';
import { StartIdentity } from '../signer-identity/start-identity.ts';
import { EmbeddedSigners } from './embedded-signers.ts';
import { SignEmbedTokens } from './sign-embed-tokens.ts';

/** What the link of a signer reaches. A frame reaches it too, but for a new link by mail. */
const SIGNER_ROUTES = [
  GetState,
  GetDocument,
  GetCopy,
  GiveConsent,
  SendOtp,
  VerifyOtp,
  EnterAccessCode,
  StartIdentity,
  ShowIdentity,
  CompleteIdentity,
  KeepDraft,
  Sign,
  Decline,
  NotMe,
];

/** The page of a signer in frames of tenants' pages. */
@Module({
  imports: [SignModule, SignerIdentityModule, MailsModule],
  controllers: [
    ...embedControllers({ pageHost: 'page', read: 'signing:read', write: 'signing:write' }),
    ...SIGNER_ROUTES.map((routes) => mounted(routes, ...framedPlace('sign', 'signer', 'page'))),
  ],
  providers: [
    EmbedSessions,
    OldEmbedSessions,
    SignEmbedTokens,
    EmbeddedSigners,
    { provide: EmbedKinds, inject: [EmbeddedSigners], useFactory: (sign: EmbeddedSigners) => new EmbedKinds([sign]) },
  ],
  exports: [SignEmbedTokens],
})
export class EmbedModule {}
