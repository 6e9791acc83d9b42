import { type JsonAnswer, postJson } from './post-json.ts';
import { type CodeMessage, type CodeSender, TextMessageUnavailable } from './text-messages.ts';

export interface WhatsAppOptions {
  /** The Graph API with its version: `https://graph.facebook.com/v23.0`. */
  url: string;
  phoneNumberId: string;
  accessToken: string;
  /** Name of an approved template of category authentication with a copy-code button. */
  template: string;
  /** The languages that it was approved in. */
  languages: Record<CodeMessage['locale'], string>;
}

/** Codes of Meta's errors after which the same message may be taken: unavailable, or too many at a time. */
const RETRYABLE = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 133016]);

/** The WhatsApp Cloud API (Graph API `POST /{version}/{phone_number_id}/messages`). */
export class WhatsAppSender implements CodeSender {
  private readonly address: string;

  constructor(private readonly options: WhatsAppOptions) {
    this.address = `${options.url.replace(/\/+$/, '')}/${encodeURIComponent(options.phoneNumberId)}/messages`;
  }

  async send({ to, code, locale }: CodeMessage): Promise<void> {
    const { accessToken, template, languages } = this.options;
    const parameters = [{ type: 'text', text: code }];
    const body = JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to.slice(1),
      type: 'template',
      template: {
        name: template,
        language: { code: languages[locale] },
        // The button that copies the code is created as one of type OTP and addressed as one of type url.
        components: [
          { type: 'body', parameters },
          { type: 'button', sub_type: 'url', index: '0', parameters },
        ],
      },
    });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` };
    const answer = await postJson(this.address, headers, body);
    if (answer.status !== 200) throw refused(answer);
  }
}

function refused({ status, body }: JsonAnswer): TextMessageUnavailable {
  const { code } = (body.error ?? {}) as { code?: number };
  const retryable = status >= 500 || status === 429 || (typeof code === 'number' && RETRYABLE.has(code));
  return new TextMessageUnavailable(typeof code === 'number' ? `WhatsApp ${code}` : `HTTP ${status}`, retryable);
}
