import {
  PERSON_LOCALES,
  type PersonLocale,
  shape,
  WALLET_CONSENT_KINDS,
  WALLET_LEVELS,
  type WalletConsentKind,
  type WalletErasure,
  type WalletExport,
  type WalletExportedReceipt,
  type WalletLevel,
  type WalletReceipt,
  type WalletSummary,
  type WalletVerificationFacts,
} from '@constancia/contracts';
import { ORIGIN_LENGTH, PageOf } from '@constancia/http';
import { maskedEmail, typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { WalletCredentialView } from '../credentials/wallet-credential-view.ts';
import { WalletPasskeyView } from '../passkeys/wallet-passkey-view.ts';
import { MAX_WALLET_PASSKEYS } from '../passkeys/wallet-passkeys.ts';
import { keepText } from '../keep-texts.ts';
import { shareText } from '../share-texts.ts';
import type { WalletConsent } from '../wallet-consent.entity.ts';
import type { ConsentOrigin, KeptVerification, WalletContact } from '../wallet-records.ts';
import type { WalletVerification } from '../wallet-verification.entity.ts';
import type { Wallet } from '../wallet.entity.ts';

const LEVEL = { enum: WALLET_LEVELS, description: 'What was looked at.' };

export class WalletView implements WalletSummary {
  @ApiProperty({ ...shape.id('wlt') })
  wallet_id: string;

  @ApiProperty({ maxItems: 1, type: 'array', items: { type: 'string', maxLength: 254 }, description: 'Masked.' })
  contacts: string[];

  @ApiProperty({ ...LEVEL, description: 'Of the last verification.' })
  level: WalletLevel;

  @ApiProperty({ format: 'date-time', description: 'Of the last verification.' })
  verified_at: string;

  @ApiProperty({
    description: 'Whether requests may be sent to the registered contact. False until the person changes it.',
  })
  discoverable: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a recovery that is under way takes effect, unless it is cancelled; null: none is.',
  })
  recovery_effective_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of(
    wallet: Wallet,
    { email }: WalletContact,
    { level, verified_at }: WalletVerification,
    recoveryEffectiveAt: Date | null,
  ): WalletView {
    return {
      wallet_id: typeId('wlt', wallet.wallet_id),
      contacts: [maskedEmail(email)],
      level,
      verified_at: verified_at.toISOString(),
      discoverable: wallet.discoverable,
      recovery_effective_at: recoveryEffectiveAt?.toISOString() ?? null,
      created_at: wallet.created_at.toISOString(),
    };
  }
}

export class KeptVerificationView implements WalletVerificationFacts {
  @ApiProperty({ ...shape.id('wvr') })
  id: string;

  @ApiProperty(LEVEL)
  level: WalletLevel;

  @ApiProperty({ format: 'date-time' })
  verified_at: string;

  @ApiProperty({ format: 'date-time' })
  added_at: string;

  @ApiProperty({ ...shape.text(200), description: 'Who asked for the verification.' })
  verified_for: string;

  @ApiProperty(shape.text(10))
  document_type: string;

  @ApiProperty(shape.text(3))
  document_country: string;

  @ApiProperty(shape.text(64))
  document_number: string;

  @ApiProperty({ ...shape.text(400), type: String, nullable: true })
  full_name: string | null;

  @ApiProperty({ ...shape.day, type: String, nullable: true })
  birth_date: string | null;

  static of({ id, level, verified_at, added_at }: WalletVerification, kept: KeptVerification): KeptVerificationView {
    return {
      id: typeId('wvr', id),
      level,
      verified_at: verified_at.toISOString(),
      added_at: added_at.toISOString(),
      ...kept,
    };
  }
}

export class SharedView {
  @ApiProperty({ ...shape.text(200), description: 'Who got it.' })
  with: string;

  @ApiProperty(shape.text(140))
  purpose: string;

  @ApiProperty({
    maxItems: 10,
    type: 'array',
    items: { type: 'string', ...shape.word },
    description: 'What was given, by name.',
  })
  claims: string[];
}

export class WalletConsentView implements WalletReceipt {
  @ApiProperty({ ...shape.id('wco') })
  id: string;

  @ApiProperty({ enum: WALLET_CONSENT_KINDS, description: 'keep: it may be kept; share: a company may have it.' })
  kind: WalletConsentKind;

  @ApiProperty({ format: 'date-time' })
  given_at: string;

  @ApiProperty({ ...shape.text(200), description: 'Who asked for the verification.' })
  verified_for: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When you withdrew it.' })
  revoked_at: string | null;

  @ApiProperty({ type: SharedView, nullable: true, description: 'Of kind share.' })
  shared: SharedView | null;

  @ApiProperty(shape.text(40))
  text_version: string;

  @ApiProperty({ enum: PERSON_LOCALES })
  locale: PersonLocale;

  @ApiProperty({ ...shape.sha256, description: 'SHA-256 of the text that was shown, hex: it is that of `text`.' })
  text_sha256: string;

  @ApiProperty({ ...shape.text(20_000), description: 'What was agreed to.' })
  text: string;

  static of(row: WalletConsent, { verified_for, shared }: ConsentOrigin, revokedAt: Date | null): WalletConsentView {
    const shown = shared ? shareText(row.text_version, row.locale, shared) : keepText(row.text_version, row.locale);
    return {
      id: typeId('wco', row.id),
      kind: row.kind,
      given_at: row.given_at.toISOString(),
      revoked_at: revokedAt?.toISOString() ?? null,
      shared: shared ? { with: shared.tenant_name, purpose: shared.purpose, claims: shared.claims } : null,
      verified_for,
      text_version: row.text_version,
      locale: row.locale,
      text_sha256: row.text_sha256.toString('hex'),
      text: shown?.text ?? '',
    };
  }
}

/** A consent with where the person agreed from. */
export class ExportedConsentView extends WalletConsentView implements WalletExportedReceipt {
  @ApiProperty({ ...shape.text(45), description: 'The address that the person agreed from.' })
  ip: string;

  @ApiProperty({ ...shape.text(400), type: String, nullable: true, description: 'The browser that the person used.' })
  user_agent: string | null;

  @ApiProperty({
    ...shape.text(ORIGIN_LENGTH),
    type: String,
    nullable: true,
    description:
      'Of the website that showed the request inside its page, as the company stated it; null: no website did.',
  })
  frame_origin: string | null;

  static override of(row: WalletConsent, origin: ConsentOrigin, revokedAt: Date | null): ExportedConsentView {
    const { ip, user_agent, shared } = origin;
    return {
      ...WalletConsentView.of(row, origin, revokedAt),
      ip,
      user_agent,
      frame_origin: shared?.frame_origin ?? null,
    };
  }
}

export class WalletConsentPage extends PageOf(WalletConsentView, { data: 'Receipts, newest first.' }) {}

export class WalletExportView extends WalletView implements WalletExport {
  @ApiProperty({ ...shape.text(254), description: 'The registered address.' })
  email: string;

  @ApiProperty({ ...shape.growing, type: [KeptVerificationView] })
  verifications: KeptVerificationView[];

  @ApiProperty({ ...shape.growing, type: [ExportedConsentView] })
  consents: ExportedConsentView[];

  @ApiProperty({ type: [WalletPasskeyView], maxItems: MAX_WALLET_PASSKEYS })
  passkeys: WalletPasskeyView[];

  @ApiProperty({ ...shape.growing, type: [WalletCredentialView], description: 'Without what they say.' })
  credentials: WalletCredentialView[];
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Since when a picture of your face is kept, encrypted, to recover the wallet with; null: none is. It is given to nobody.',
  })
  face_kept_at: string | null;

  @ApiProperty({ format: 'date-time' })
  exported_at: string;
}

export class WalletErasureView implements WalletErasure {
  @ApiProperty({ ...shape.id('rcp') })
  receipt_id: string;

  @ApiProperty({ ...shape.id('wlt') })
  wallet_id: string;

  @ApiProperty({ format: 'date-time' })
  erased_at: string;

  @ApiProperty({ maxItems: 10, type: 'array', items: { type: 'string', maxLength: 60 } })
  erased: string[];

  @ApiProperty({
    maxItems: 10,
    type: 'array',
    items: { type: 'string', maxLength: 60 },
    description: 'consent_records: that and when a text was agreed to, without anything about the person.',
  })
  kept: string[];

  @ApiProperty({ ...shape.text(1_000), description: 'Why something is kept.' })
  legal_basis: string;

  @ApiProperty({ ...shape.text(1_000), description: 'What the erasure does not reach.' })
  not_covered: string;
}
