/** How a code reaches a phone. */
export const TEXT_CHANNELS = ['sms', 'whatsapp'] as const;
export type TextChannel = (typeof TEXT_CHANNELS)[number];

/** A one-time code on its way to a phone. */
export interface CodeMessage {
  /** E.164: `+573001234567`. */
  to: string;
  code: string;
  /** Who asks for the signature, as the tenant calls itself. */
  sender: string;
  locale: 'es-CO' | 'en';
  /** When the code ends: a network should not deliver it later. */
  expiresAt: Date;
}

/**
 * The service of a channel cannot be reached or did not take the message. `retryable`: the same message may go out later; otherwise it was
 * refused for good, for example because the person opted out. `reason`: a code, without the number and without what the service answered.
 */
export class TextMessageUnavailable extends Error {
  constructor(
    readonly reason: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(`text message cannot be sent: ${reason}`, options);
    this.name = 'TextMessageUnavailable';
  }
}

/** One service that takes messages. */
export interface CodeSender {
  /** Resolves when the service took the message. One attempt. Throws TextMessageUnavailable. */
  send(message: CodeMessage): Promise<void>;
}

/** Sends codes to phones over the channels that the deployment has configured. */
export class TextMessages {
  readonly channels: readonly TextChannel[];

  constructor(private readonly senders: Partial<Record<TextChannel, CodeSender>>) {
    this.channels = TEXT_CHANNELS.filter((channel) => senders[channel] !== undefined);
  }

  /** Resolves when the service of the channel took the message. Throws TextMessageUnavailable. */
  async send(channel: TextChannel, message: CodeMessage): Promise<void> {
    const sender = this.senders[channel];
    if (sender === undefined) throw new TextMessageUnavailable('channel_not_configured', true);
    await sender.send(message);
  }
}
