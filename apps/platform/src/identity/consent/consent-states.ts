import { hashSecret } from '@constancia/auth';
import {
  CONSENT_METHODS,
  type ConsentClaimView,
  type ConsentMethod,
  type ConsentObstacle,
  type ConsentState,
  type PersonLocale,
} from '@constancia/contracts';
import { NotFound, Unauthorized } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { tenantOnPage } from '../hosted/tenant-on-page.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { maskedNumber } from '../subjects/subject-view.ts';
import { type KeptWallet, Wallets } from '../wallet/me/wallets.ts';
import { claimLabel, currentShareText } from '../wallet/share-texts.ts';
import type { KeptVerification } from '../wallet/wallet-records.ts';
import { WalletIndex } from '../wallet/wallet-index.ts';
import type { WalletVerification } from '../wallet/wallet-verification.entity.ts';
import { reuseRefusal } from '../steps/reuse-policy.ts';
import { type AskingSession, AskingSessions } from './asking-sessions.ts';
import { type ConsentBearer, nonceOf } from './consent-links.ts';
import { isOpen, presentationRow } from '../presentations/presentation-rows.ts';
import type { Presentation } from '../presentations/presentation.entity.ts';
import { claimNames, type ReleasedClaims, releasedClaims } from '../presentations/released-claims.ts';

/** What a person can give, as it stands now. */
export interface Answerable {
  walletId: string;
  opened: KeptWallet;
  verification: WalletVerification;
  kept: KeptVerification;
  released: ReleasedClaims | null;
  obstacle: ConsentObstacle | null;
}

/** What is decided here: the branding is the tenant's. */
type OwnState = Omit<ConsentState, 'tenant'>;

type Choice = (
  verifications: readonly WalletVerification[],
  kept: KeptWallet['kept'],
) => Pick<Answerable, 'verification' | 'released'>;

/** What the page of a link shows. */
@Injectable()
export class ConsentStates {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly wallets: Wallets,
    private readonly index: WalletIndex,
    private readonly sessions: AskingSessions,
  ) {}

  /** Throws NotFound when nothing can be done with the link. */
  async state(bearer: ConsentBearer, browser: string, locale?: PersonLocale): Promise<ConsentState> {
    const row = await this.rowOf(bearer);
    if (!isOpen(row)) throw new NotFound();
    const [state, tenant] = await Promise.all([
      provedBy(row, browser)
        ? this.decide(row, browser, locale)
        : identify(row, browser, { locale: locale ?? 'es-CO', methods: METHODS[bearer.place.kind] }),
      tenantOnPage(this.database, row.tenant_id, row.tenant_name),
    ]);
    return { ...state, tenant };
  }

  rowOf({ tenantId, presentationId }: ConsentBearer): Promise<Presentation> {
    return this.database.tenant(tenantId, (tx) => presentationRow(tx, tenantId, presentationId));
  }

  /** The newest verification of the wallet. KMS is asked outside of transactions. Throws NotFound once the wallet is erased. */
  answerable(row: Presentation & { wallet_id: string }): Promise<Answerable> {
    return this.answerableOf(row, row.wallet_id, ([newest], kept) => {
      if (newest === undefined) throw new Error('a wallet has a verification');
      return { verification: newest, released: releasedClaims(kept(newest), row.claims) };
    });
  }

  /** The same for the verification, and the claims of it, that `choose` picks. */
  async answerableOf(row: Presentation, walletId: string, choose: Choice): Promise<Answerable> {
    const opened = await this.wallets.openKept(walletId).catch((error: unknown) => {
      throw error instanceof Unauthorized ? new NotFound() : error;
    });
    const { verification, released } = choose(opened.verifications, opened.kept);
    const kept = opened.kept(verification);
    const asking = await this.sessions.of(row);
    const obstacle = (await this.isOther(row, kept, asking))
      ? 'other_person'
      : (policyObstacle(row, verification, asking) ?? (released === null ? 'missing' : null));
    return { walletId, opened, verification, kept, released, obstacle };
  }

  private async isOther(
    { document_index }: Presentation,
    kept: KeptVerification,
    asking: AskingSession | null,
  ): Promise<boolean> {
    const { document_type: type, document_country: country, document_number: number } = kept;
    if (asking !== null) {
      const { session, data } = asking;
      return data.documentNumber !== number || session.document_type !== type || session.document_country !== country;
    }
    if (document_index === null) return false;
    return !document_index.equals(await this.index.document({ type, country, number }));
  }

  private async decide(
    row: Presentation & { wallet_id: string },
    browser: string,
    asked: PersonLocale | undefined,
  ): Promise<OwnState> {
    const { opened, verification, kept, obstacle } = await this.answerable(row);
    const locale = asked ?? opened.wallet.locale;
    const { level, verified_at } = verification;
    const shown = obstacle === 'other_person' ? null : kept;
    return {
      ...shownOf(row, browser, locale, shown),
      step: 'decide',
      challenge: null,
      verification: { level, verified_at: verified_at.toISOString(), verified_for: kept.verified_for },
      consent: obstacle === null ? currentShareText(locale, { ...row, claims: claimNames(row.claims) }) : null,
      obstacle,
    };
  }
}

/** Why a verification is not accepted for what it is, or when it was made: by the request, and by the flow of a session that asks. */
function policyObstacle(
  { max_age_days: maxAgeDays }: Presentation,
  { level, verified_at: verifiedAt }: WalletVerification,
  asking: AskingSession | null,
): ConsentObstacle | null {
  const refusal = reuseRefusal(asking?.session.steps ?? [], { level, verifiedAt, maxAgeDays }, new Date());
  return refusal && (refusal.reason === 'reuse_level' ? 'missing' : 'too_old');
}

/** Whether this browser has proved whose the wallet is. */
export function provedBy(row: Presentation, browser: string | null): row is Presentation & { wallet_id: string } {
  return row.wallet_id !== null && provedOnce(row, browser);
}

/** The same, also once the request has ended. */
export function provedOnce({ browser_hash }: Presentation, browser: string | null): boolean {
  return browser !== null && browser_hash !== null && browser_hash.equals(hashSecret(browser));
}

/** A passkey that is used in a frame of another site is accepted nowhere (PasskeyCeremonies). */
const METHODS: Record<ConsentBearer['place']['kind'], readonly ConsentMethod[]> = {
  link: CONSENT_METHODS,
  frame: ['otp'],
};

function identify(
  row: Presentation,
  browser: string,
  { locale, methods }: { locale: PersonLocale; methods: readonly ConsentMethod[] },
): OwnState {
  const address = row.channel === 'registered_contact' ? 'registered' : 'asked';
  return {
    ...shownOf(row, browser, locale, null),
    step: 'identify',
    challenge: { methods: [...methods], address },
    verification: null,
    consent: null,
    obstacle: null,
  };
}

function shownOf(row: Presentation, browser: string, locale: PersonLocale, kept: KeptVerification | null) {
  const claims = claimNames(row.claims).map((name): ConsentClaimView => ({
    name,
    label: claimLabel(name, locale),
    value_masked: kept && masked(name, kept),
    required: true,
  }));
  return {
    locale,
    purpose: row.purpose,
    claims,
    expires_at: row.expires_at.toISOString(),
    nonce: nonceOf(browser),
  };
}

function masked(name: ConsentClaimView['name'], kept: KeptVerification): string | null {
  switch (name) {
    case 'document_number':
      return maskedNumber(kept.document_number);
    case 'birth_date':
      return kept.birth_date && `${kept.birth_date.slice(0, 4)}-••-••`;
    case 'full_name':
      return kept.full_name && kept.full_name.replace(/(?<=\p{L})\p{L}/gu, '•');
    default:
      return kept[name];
  }
}
