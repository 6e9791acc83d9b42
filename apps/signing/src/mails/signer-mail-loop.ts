import { backoffMs, PeriodicTask, retry, roleTitle, typeId } from '@constancia/kernel';
import { MailUnavailable, Mailer } from '@constancia/mail';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { LeasedWork } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { recordEvent } from '../envelope-records/trail.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { AttachedDocuments } from './attached-documents.ts';
import { isTextMethod } from '../circuits/text-methods.ts';
import { type ClaimedMail, isSealed, type LeasedMail, nameOrRole, openMail } from './claimed-mail.ts';
import { aboutSigner, isCode, releaseMail } from './leased-mail.ts';
import { isRetryable, reasonOf } from './mail-outcome.ts';
import { signerMail } from './signer-mail-page.ts';
import type { SignerMailKind } from './signer-mail.entity.ts';
import { SignerMails } from './signer-mails.ts';
import { isText, SignerTexts } from './signer-texts.ts';
import type { SignerMailFacts } from './texts.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

const EVERY_MS = 1_000;
const LEASE_SECONDS = 90;
/** Mails in progress at most: a slow mail server delays these and no others. */
const CONCURRENCY = 8;
/** Between two tries of one mail. A code is waited for by a person in front of a page. */
const LONGEST_DELAY_MS = 60_000;
const LONGEST_DELAY_OF_CODES_MS = 5_000;

const FILE_NAMES: Record<EnvelopeLocale, string> = { 'es-CO': 'documento-firmado.pdf', en: 'signed-document.pdf' };

interface Recipient {
  email: string;
  locale: EnvelopeLocale;
}

/**
 * Hands mails to the mail server: each once. A mail stays in the store until the server has taken it, so that a server that is unavailable for
 * hours, or a process that dies, loses none; leases keep several processes off each other's mails. Only when a process dies
 * between the server's yes and its own note of it does the mail go out again, under the same Message-ID.
 */
@Injectable()
export class SignerMailLoop implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly work: LeasedWork<LeasedMail>;
  private readonly stop = new AbortController();
  private readonly task: PeriodicTask;

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly mailer: Mailer,
    private readonly mails: SignerMails,
    private readonly texts: SignerTexts,
    private readonly tokens: SignTokens,
    private readonly documents: AttachedDocuments,
    private readonly logger: Logger,
  ) {
    this.work = new LeasedWork<LeasedMail>({
      store: {
        claim: (limit) =>
          database.query<LeasedMail>(
            `select m.*, t.display_name as sender, t.color as brand_color, t.logo_sha256 as brand_logo
               from signing.claim_signer_mails_v4($1, $2) m, platform_v1.tenant_branding(m.tenant_id) t`,
            [limit, LEASE_SECONDS],
          ),
        extend: (mails) =>
          database.query('select signing.extend_signer_mail_leases($1, $2)', [
            mails.map(({ lease_token }) => lease_token),
            LEASE_SECONDS,
          ]),
      },
      leaseSeconds: LEASE_SECONDS,
      work: (mail) => this.send(mail),
      concurrency: CONCURRENCY,
      logger,
    });
    this.task = new PeriodicTask({ name: 'signer-mails', everyMs: EVERY_MS, logger, run: () => this.work.wake() });
  }

  onApplicationBootstrap(): void {
    this.task.start();
    this.wake();
  }

  /** There are mails to send, and their transaction has committed. Never waits and never throws; a lost call costs a second. */
  wake(): void {
    this.task.wake();
  }

  /** Of the mail that has been waiting for longest; 0 when none waits. */
  async oldestSeconds(): Promise<number> {
    const [row] = await this.database.query<{ lag: number }>('select signing.signer_mail_lag() as lag');
    return row?.lag ?? 0;
  }

  /** Takes no more mails. */
  onModuleDestroy(): void {
    this.work.stop();
  }

  /** Lets mails in progress go out. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.task.close();
    await this.work.close();
  }

  private async send(mail: LeasedMail): Promise<void> {
    const { logger } = this;
    const about = { mail_id: mail.id, kind: mail.kind, tenant_id: mail.tenant_id, attempt: mail.attempts };
    try {
      const opened = await this.opened(mail);
      await (isText(opened) ? this.texts.send(opened) : this.sendMail(opened));
    } catch (error) {
      const retryable = isRetryable(error);
      logger.warn({ err: error, ...about }, retryable ? 'mail not sent: tried again later' : 'mail given up');
      await this.note(about, () => (retryable ? this.defer(mail, error) : this.giveUp(mail, error)));
      return;
    }
    await this.note(about, () => this.markSent(mail));
  }

  /** A server that refuses the document gets the mail without it: the link leads there. */
  private async sendMail(mail: ClaimedMail): Promise<void> {
    const { email: to, locale } = await this.recipientOf(mail);
    const pdf = await this.documents.of(mail);
    const facts = { ...this.factsOf(mail), locale };
    const plain = (): Promise<void> =>
      this.mailer.send({ to, id: mail.id, ...signerMail({ ...facts, attached: false }) });
    if (pdf === null) return plain();
    const attachment = { fileName: FILE_NAMES[locale], content: pdf, contentType: 'application/pdf' };
    try {
      await this.mailer.send({ to, id: mail.id, ...signerMail({ ...facts, attached: true }), attachment });
    } catch (error) {
      if (!(error instanceof MailUnavailable) || error.retryable) throw error;
      await plain();
    }
  }

  private async opened(mail: LeasedMail): Promise<ClaimedMail> {
    return isSealed(mail) ? openMail(await this.personal.tenant(mail.tenant_id), mail) : { ...mail, phone: null };
  }

  /** Writes what came of a mail, however long the store is unavailable: until then the lease is kept, so that nobody sends it again. */
  private async note(about: object, write: () => Promise<void>): Promise<void> {
    const pauseMs = (error: unknown) => {
      this.logger.warn({ err: error, ...about }, 'what came of a mail could not be noted yet');
      return EVERY_MS;
    };
    await retry(write, { pauseMs, signal: this.stop.signal }).catch((error: unknown) => {
      this.logger.warn(
        { err: error, ...about },
        'the result of a mail was not saved: the process ends, and the lease with it',
      );
    });
  }

  /** The signer; of not_me the owner of the sending tenant, in the owner's language. */
  private async recipientOf({ kind, tenant_id, email, locale }: ClaimedMail): Promise<Recipient> {
    if (kind !== 'not_me') return { email, locale };
    const [owner] = await this.database.tenant(tenant_id, (tx) =>
      tx.query<{ owner_email: string; locale: EnvelopeLocale }>('select * from platform_v1.tenant_contact()'),
    );
    if (!owner) throw new Error('the sender has no address');
    return { email: owner.owner_email, locale: owner.locale };
  }

  private factsOf(mail: ClaimedMail): Omit<SignerMailFacts, 'attached'> {
    const { mails, tokens } = this;
    const { id, secret } = mail;
    const token = tokens.open({ id: mail.signer_id, token_sealed: mail.token_sealed });
    return {
      kind: mail.kind as SignerMailKind,
      locale: mail.locale,
      sender: mail.sender,
      color: mail.brand_color,
      logoUrl: mail.brand_logo && tokens.logoUrlOf(mail.brand_logo),
      title: mail.subject ?? mail.circuit_name,
      message: mail.message,
      name: mail.name,
      link: tokens.urlOf(token),
      verifyLink: tokens.verifyUrlOf(mail.public_id),
      expiresAt: mail.expires_at,
      code: secret && mails.openSecret({ id, secret }),
      codeExpiresAt: mail.otp_expires_at,
      envelopeId: typeId('env', mail.envelope_id),
      role: roleTitle(mail.role, mail.locale),
      email: mail.email,
      declinedBy: mail.declined_by === null ? null : nameOrRole(mail.declined_by, mail.locale),
      voidReason: mail.end_reason,
    };
  }

  private markSent(mail: LeasedMail): Promise<void> {
    return this.holding(mail, async (tx) => {
      const marked = await tx.query(
        `update signing.signer_mail set sent_at = now(), failure = null, secret = null, lease_token = null, lease_until = null
          where id = $1 and lease_token = $2 and sent_at is null returning 1`,
        [mail.id, mail.lease_token],
      );
      if (marked.length === 0 || mail.kind === 'not_me') return; // that one is not to the signer
      const data = isTextMethod(mail.kind) ? { message: mail.kind } : { mail: mail.kind };
      await recordEvent(tx, { ...aboutSigner(mail), type: 'signer.notified', data });
    });
  }

  /** The envelope before the mail: what adds mails holds the envelope already. */
  private holding(
    { tenant_id: tenantId, envelope_id: id }: LeasedMail,
    work: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      await tx.query('select 1 from signing.envelope where tenant_id = $1 and id = $2 for update', [tenantId, id]);
      await work(tx);
    });
  }

  private async defer(mail: LeasedMail, error: unknown): Promise<void> {
    const longest = isCode(mail) ? LONGEST_DELAY_OF_CODES_MS : LONGEST_DELAY_MS;
    const delayMs = backoffMs(mail.attempts, { firstMs: 1_250, longestMs: longest * 1.25, jitter: 0.4 });
    await this.release(
      mail,
      'due_at = now() + make_interval(secs => $4), failure = $3',
      reasonOf(error),
      delayMs / 1_000,
    );
  }

  private async giveUp(mail: LeasedMail, error: unknown): Promise<void> {
    const [note, reason] = ['failed_at = now(), secret = null, failure = $3', reasonOf(error)];
    if (!isTextMethod(mail.kind)) return this.release(mail, note, reason);
    const data = { method: mail.kind, reason };
    await this.holding(mail, async (tx) => {
      if ((await releaseMail(tx, mail, note, [reason])) === 0) return;
      await recordEvent(tx, { ...aboutSigner(mail), type: 'signer.otp_undelivered', data });
    });
  }

  /** Gives the lease back with what is to be noted (its values from $3 on), unless it was lost. */
  private async release(mail: LeasedMail, note: string, ...values: unknown[]): Promise<void> {
    await this.database.tenant(mail.tenant_id, (tx) => releaseMail(tx, mail, note, values));
  }
}
