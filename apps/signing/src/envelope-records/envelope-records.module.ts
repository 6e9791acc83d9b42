import { Module } from '@nestjs/common';
import { SignTokens } from './sign-tokens.ts';

/** What envelopes, their mails and the signers' pages share: rows, states, the trail, links. */
@Module({ providers: [SignTokens], exports: [SignTokens] })
export class EnvelopeRecordsModule {}
