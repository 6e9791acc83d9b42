import { TextMessages, TextMessageUnavailable } from '@constancia/text-messages';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { isTextMethod, TEXT_CHANNEL, type TextMethod } from '../circuits/text-methods.ts';
import type { ClaimedMail } from './claimed-mail.ts';
import { SignerMails } from './signer-mails.ts';

/** A message that this process has leased. */
export type ClaimedText = ClaimedMail & { kind: TextMethod };

export const isText = (mail: ClaimedMail): mail is ClaimedText => isTextMethod(mail.kind);

/** Hands codes to phones to the services that deliver them. */
@Injectable()
export class SignerTexts {
  private readonly results;

  constructor(
    private readonly texts: TextMessages,
    private readonly mails: SignerMails,
    metrics: Metrics,
  ) {
    const help =
      'Codes that were handed to a service of text messages, by channel and by what it answered: sent, deferred, refused';
    this.results = metrics.counter('text_messages_total', help, ['channel', 'result']);
  }

  /** Throws TextMessageUnavailable; throws Error for a message that is none. */
  async send({ id, kind, secret, phone, sender, locale, otp_expires_at }: ClaimedText): Promise<void> {
    const channel = TEXT_CHANNEL[kind];
    if (secret === null || phone === null || otp_expires_at === null) throw new Error('not a message with a code');
    const code = this.mails.openSecret({ id, secret });
    try {
      await this.texts.send(channel, { to: phone, code, sender, locale, expiresAt: otp_expires_at });
      this.results.inc({ channel, result: 'sent' });
    } catch (error) {
      const isLater = error instanceof TextMessageUnavailable && error.retryable;
      this.results.inc({ channel, result: isLater ? 'deferred' : 'refused' });
      throw error;
    }
  }
}
