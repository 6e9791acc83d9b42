import type { KeepRequest, KeepState, PersonLocale, WalletLevel } from '@constancia/contracts';
import { maskedEmail, type OneTimeCodes } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { StateConflict, UnprocessableEntity, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { codesLocked } from '../../../codes-locked.ts';
import { PlatformConfig } from '../../../config.ts';
import { type CaptureBearer, captureOf } from '../../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import { openContext } from '../../sessions/session-context.ts';
import { sessionRow } from '../../sessions/session-changes.ts';
import type { FlowSession } from '../../sessions/session-row.ts';
import type { Subject } from '../../subjects/subject.entity.ts';
import { Subjects } from '../../subjects/subjects.ts';
import { currentKeepText, keepText } from '../keep-texts.ts';
import { SettleOffers } from './settle-offers.ts';
import { WalletIndex } from '../wallet-index.ts';
import { levelOf } from '../wallet-level.ts';
import { WalletMails } from '../wallet-mails.ts';
import { WalletOffer } from './wallet-offer.entity.ts';
import { type OfferRecord, offerContext } from './offer-record.ts';
import { offerCodes, offerRecipient } from '../wallet-codes.ts';

/** A verification that can be kept. */
interface Keepable {
  session: FlowSession;
  subject: Subject;
  level: WalletLevel;
  locale: PersonLocale;
}

interface Origin {
  ip: string;
  userAgent: string | null;
}

const NOTHING = 'There is no verification here that could be kept.';

/**
 * What a person does at the end of a session to keep its verification: agrees, gives an address, confirms it. What comes of it is decided
 * afterwards (SettleOffers), so that no answer depends on whether the person, or the address, has a wallet.
 */
@Injectable()
export class WalletOffers {
  private readonly codes: OneTimeCodes;

  constructor(
    config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly subjects: Subjects,
    private readonly index: WalletIndex,
    private readonly mails: WalletMails,
    private readonly settling: SettleOffers,
  ) {
    this.codes = offerCodes(config);
  }

  /** Throws StateConflict where nothing can be kept, as the others do. */
  state(bearer: CaptureBearer): Promise<KeepState> {
    return this.database.tenant(bearer.tenantId, (tx) => this.stateIn(tx, bearer));
  }

  /** Stores what was agreed to, and mails a code to the address. Throws ValidationError when another text was shown. */
  async request(bearer: CaptureBearer, { email, ...shown }: KeepRequest, origin: Origin): Promise<KeepState> {
    const text = keepText(shown.version, shown.locale);
    if (text?.sha256 !== shown.sha256) {
      throw new ValidationError([
        { pointer: '/sha256', code: 'mismatch', detail: 'Send that of the text as it was answered.' },
      ]);
    }
    const digest = await this.index.offerCode(email);
    const state = await this.database.tenant(bearer.tenantId, async (tx) => {
      const { session, subject } = await this.keepable(tx, bearer);
      const record: OfferRecord = { email: email.trim(), ip: origin.ip, user_agent: origin.userAgent };
      const sealed = await this.subjects.seal(tx, subject, offerContext(session.id), JSON.stringify(record));
      if (sealed === null) throw new StateConflict(NOTHING);
      await tx.query(
        `insert into identity.wallet_offer
           (session_id, tenant_id, subject_id, state, code_digest, sealed, text_version, locale, text_sha256)
         values ($1, $2, $3, 'code_sent', $4, $5, $6, $7, decode($8, 'hex'))
         on conflict (session_id) do update
           set state = 'code_sent', code_digest = excluded.code_digest, sealed = excluded.sealed, text_version = excluded.text_version,
               locale = excluded.locale, text_sha256 = excluded.text_sha256, given_at = now(), confirmed_at = null, settled_at = null
           where wallet_offer.state <> 'confirmed'`,
        [session.id, session.tenant_id, subject.id, digest, sealed, text.version, text.locale, text.sha256],
      );
      await tx.query('select identity.request_offer_code($1, $2, $3)', [session.tenant_id, session.id, digest]);
      return this.stateIn(tx, bearer);
    });
    this.mails.wake();
    return state;
  }

  /** The address is the person's. Throws UnprocessableEntity for a wrong code, RateLimitExceeded after five. */
  async confirm(bearer: CaptureBearer, code: string): Promise<KeepState> {
    const { tenantId, sessionId } = bearer;
    const offer = await this.database.tenant(tenantId, async (tx) => {
      await this.keepable(tx, bearer);
      return offerOf(tx, bearer);
    });
    if (offer === null) throw new StateConflict('No address was given that a code could be of.');
    if (offer.state === 'code_sent') {
      const hashes = this.codes.hashesOf(offerRecipient(offer), code);
      const [row] = await this.database.tenant(tenantId, (tx) =>
        tx.query<{ outcome: 'ok' | 'wrong' | 'locked'; retry_after: number | null }>(
          'select * from identity.confirm_offer($1, $2, $3)',
          [sessionId, offer.code_digest, hashes],
        ),
      );
      if (row?.outcome === 'locked') throw codesLocked(row.retry_after ?? 1);
      if (row?.outcome !== 'ok') throw new UnprocessableEntity('The code is wrong or has expired.');
      this.settling.wake();
    }
    return this.state(bearer);
  }

  private async stateIn(tx: Tx, bearer: CaptureBearer): Promise<KeepState> {
    const { subject, locale } = await this.keepable(tx, bearer);
    const offer = await offerOf(tx, bearer);
    if (offer === null) return { state: 'offered', consent: currentKeepText(locale), email: null };
    const text = await this.subjects.unseal(tx, subject, offerContext(offer.session_id), offer.sealed);
    if (text === null) throw new StateConflict(NOTHING);
    return {
      state: offer.state === 'code_sent' ? 'code_sent' : 'confirmed',
      consent: keepText(offer.text_version, offer.locale) ?? currentKeepText(locale),
      email: maskedEmail((JSON.parse(text) as OfferRecord).email),
    };
  }

  private async keepable(tx: Tx, bearer: CaptureBearer): Promise<Keepable> {
    const session = await sessionRow(tx, bearer.tenantId, bearer.sessionId);
    const subject = await this.subjects.find(tx, bearer.tenantId, session.subject_id);
    const { locale } = await captureOf(tx, bearer);
    if (session.status !== 'completed' || subject.erased_at !== null) throw new StateConflict(NOTHING);
    const level = levelOf(session, await openContext(tx, this.subjects, session, subject));
    if (level === null) throw new StateConflict(NOTHING);
    return { session, subject, level, locale };
  }
}

function offerOf(tx: Tx, { tenantId, sessionId }: CaptureBearer): Promise<WalletOffer | null> {
  return tx.manager.findOneBy(WalletOffer, { session_id: sessionId, tenant_id: tenantId });
}
