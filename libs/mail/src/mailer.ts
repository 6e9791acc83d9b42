import { createTransport } from 'nodemailer';

/** One message in two forms: text for every reader, HTML for the others. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Names the message for good: sent again after a loss, it has the same Message-ID and readers show it once. */
  id?: string;
  attachment?: { fileName: string; content: Buffer; contentType: string };
}

/**
 * The mail server cannot be reached or did not take the message. `retryable`: the same message may go out later; otherwise
 * the server refused it for good (5xx), for example because there is no such mailbox.
 */
export class MailUnavailable extends Error {
  constructor(
    reason: string,
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(`mail cannot be sent: ${reason}`, options);
    this.name = 'MailUnavailable';
  }
}

/** An address that mail is sent to. One mailbox, no display name, no list: nothing in it can end a header or add a receiver. */
export const MAIL_ADDRESS = /^[^\s<>()[\]\\,;:@"\p{Cc}]{1,64}@[^\s<>()[\]\\,;:@"\p{Cc}]{1,255}$/u;
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

/** Sends mail over SMTP with a small pool of kept connections. */
export class Mailer {
  private readonly transport: ReturnType<typeof pooled>;
  /** Of Message-IDs: the sender's. */
  private readonly domain: string;

  /**
   * @param options.smtpUrl smtp:// or smtps://, with user and password when the server wants them
   * @param options.from the sender, `Name <address>` or an address
   */
  constructor(private readonly options: { smtpUrl: string; from: string; timeoutMs?: number }) {
    this.transport = pooled(options.smtpUrl, options.timeoutMs ?? 10_000);
    this.domain = /@([^\s<>@]+)>?$/.exec(options.from)?.[1] ?? 'localhost';
  }

  /** Resolves when the server took the message. Throws MailUnavailable; throws Error for an address that is none. */
  async send(mail: Mail): Promise<void> {
    if (!MAIL_ADDRESS.test(mail.to)) throw new Error('not a mail address');
    try {
      await this.transport.sendMail({
        from: this.options.from,
        to: { name: '', address: mail.to },
        subject: mail.subject.replace(CONTROL, ' ').trim(),
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no answer by a machine
        ...(mail.attachment && { attachments: [attachmentOf(mail.attachment)] }),
        ...(mail.id !== undefined && { messageId: `<${mail.id}@${this.domain}>` }),
      });
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Resolves when the server answers. */
  async ping(): Promise<void> {
    try {
      await this.transport.verify();
    } catch (error) {
      throw unavailable(error);
    }
  }

  async close(): Promise<void> {
    this.transport.close();
  }
}

function attachmentOf({ fileName, content, contentType }: NonNullable<Mail['attachment']>) {
  return { filename: fileName, content, contentType };
}

function pooled(url: string, timeoutMs: number) {
  return createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The server's words may repeat the address and what is in the mail: only the code goes on. */
function unavailable(error: unknown): MailUnavailable {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  if (responseCode === undefined) return new MailUnavailable(code, true);
  return new MailUnavailable(`SMTP ${responseCode}`, responseCode < 500);
}
