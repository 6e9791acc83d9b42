import nodemailer from 'nodemailer';
import type { Transporter } from 'nodemailer';
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js';

/** One message in two forms: text for every reader, HTML for the others. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** The mail server cannot be reached or took the message not now; the same message may go out later. */
export class MailUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`mail cannot be sent: ${reason}`, options);
    this.name = 'MailUnavailable';
  }
}

// One mailbox, no display name, no list: nothing in it can end a header or add a receiver.
const ADDRESS = /^[^\s<>()[\]\\,;:@"\p{Cc}]{1,64}@[^\s<>()[\]\\,;:@"\p{Cc}]{1,255}$/u;
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;

/** Sends mail over SMTP with a small pool of kept connections. */
export class Mailer {
  private readonly transport: Transporter<SMTPPool.SentMessageInfo>;

  /**
   * @param options.smtpUrl smtp:// or smtps://, with user and password when the server wants them
   * @param options.from the sender, `Name <address>` or an address
   */
  constructor(private readonly options: { smtpUrl: string; from: string; timeoutMs?: number }) {
    const timeout = options.timeoutMs ?? 10_000;
    this.transport = nodemailer.createTransport({
      url: options.smtpUrl,
      pool: true,
      maxConnections: 4,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      dnsTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as SMTPPool.Options);
  }

  /** Resolves when the server took the message. Throws MailUnavailable; throws Error for an address that is none. */
  async send(mail: Mail): Promise<void> {
    if (!ADDRESS.test(mail.to)) throw new Error('not a mail address');
    try {
      await this.transport.sendMail({
        from: this.options.from,
        to: { name: '', address: mail.to },
        subject: mail.subject.replace(CONTROL, ' ').trim(),
        text: mail.text,
        html: mail.html,
      });
    } catch (error) {
      // The server's answer may repeat the address: only its code goes on.
      const { code, responseCode } = error as { code?: string; responseCode?: number };
      throw new MailUnavailable(responseCode ? `SMTP ${responseCode}` : (code ?? 'unknown'), { cause: error });
    }
  }

  /** Resolves when the server answers. */
  async ping(): Promise<void> {
    try {
      await this.transport.verify();
    } catch (error) {
      throw new MailUnavailable((error as { code?: string }).code ?? 'unknown', { cause: error });
    }
  }

  async close(): Promise<void> {
    this.transport.close();
  }
}
