import { shape, shownTenant } from '@constancia/contracts';
import { maskedEmail, typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import {
  ENVELOPE_STATUSES,
  type EnvelopeStatus,
  SIGNER_STATUSES,
  type SignerStatus,
} from '../envelope-records/envelope-states.ts';
import { authenticationOf, AuthenticationView } from './authentication-view.ts';
import { consentText } from './consent-texts.ts';
import type { SignerFacts } from './found-signer.ts';
import {
  documentNeedsProof,
  hasCopy,
  isProven,
  NEXT_STEPS,
  type NextStep,
  nextStep,
  type Standing,
} from './next-step.ts';
import { OwnFieldView } from './own-field-view.ts';
import { ENVELOPE_LOCALES, type EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

const TIME = { format: 'date-time', example: '2026-11-21T15:04:05.678Z' } as const;
const TIME_OR_NULL = { ...TIME, type: 'string', nullable: true } as const;
const SHA256 = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;

export class SenderLogoView {
  @ApiProperty({
    type: 'string',
    pattern: '^/logos/[0-9a-f]{64}\\.png$',
    maxLength: 75,
    description: 'A PNG on the host of the signing pages (`sign_url`). Another logo has another path.',
  })
  path: string;

  @ApiProperty(shape.count(512, 1))
  width: number;

  @ApiProperty(shape.count(512, 1))
  height: number;
}

export class SenderView {
  @ApiProperty({ ...shape.text(120), example: 'Cooperativa La Ceiba' })
  display_name: string;

  @ApiProperty({
    type: String,
    pattern: '^#[0-9a-f]{6}$',
    maxLength: 7,
    nullable: true,
    example: '#0b5a55',
    description: 'The colour of its branding. The page uses it where text in it can be read.',
  })
  color: string | null;

  @ApiProperty({ type: SenderLogoView, nullable: true })
  logo: SenderLogoView | null;
}

export class SignedEnvelopeView {
  @ApiProperty({ ...shape.id('env'), example: 'env_01kamx8c6ne5v8d2w6tq0v1m3z' })
  id: string;

  @ApiProperty({ ...shape.publicId, description: 'Names the public verify page, `{sign_url}/verify/{public_id}`.' })
  public_id: string;

  @ApiProperty({ ...shape.text(150), type: 'string', nullable: true })
  subject: string | null;

  @ApiProperty({ ...shape.text(2000), type: 'string', nullable: true })
  message: string | null;

  @ApiProperty({ description: 'Who sent it.' })
  tenant: SenderView;

  @ApiProperty({ enum: ENVELOPE_STATUSES, enumName: 'EnvelopeStatus', description: 'How the envelope stands.' })
  status: EnvelopeStatus;

  @ApiProperty({
    enum: ENVELOPE_LOCALES,
    enumName: 'EnvelopeLocale',
    description: 'The language that the sender chose.',
  })
  locale: EnvelopeLocale;

  @ApiProperty(TIME)
  expires_at: string;
}

export class OwnSignerView {
  @ApiProperty({ ...shape.role, example: 'borrower' })
  role: string;

  @ApiProperty({ ...shape.text(120), type: 'string', nullable: true, example: 'Ana María Ñungo' })
  name: string | null;

  @ApiProperty({ ...shape.text(254), example: 'a***@c***.co' })
  email_masked: string;

  @ApiProperty({ enum: SIGNER_STATUSES, enumName: 'SignerStatus', description: 'How this signer stands.' })
  status: SignerStatus;

  @ApiProperty(TIME_OR_NULL)
  signed_at: string | null;
}

export class OwnDocumentView {
  @ApiProperty(shape.count())
  page_count: number;

  @ApiProperty({ ...SHA256, description: 'SHA-256 of the document as it was sent, hex.' })
  base_sha256: string;

  @ApiProperty({
    ...SHA256,
    nullable: true,
    description: 'SHA-256 of what this signer was last shown before signing, hex.',
  })
  shown_sha256: string | null;

  @ApiProperty({ description: 'The document is shown after authentication only: a code can be asked for.' })
  needs_authentication: boolean;

  @ApiProperty({
    description:
      'A copy of what was signed can be downloaded (`GET …/copy`): until the document is sealed, with a proof.',
  })
  copy_available: boolean;
}

export class ConsentTextView {
  @ApiProperty({ ...shape.text(40), example: '2026-11' })
  version: string;

  @ApiProperty({ enum: ENVELOPE_LOCALES, enumName: 'EnvelopeLocale', description: 'The language of the text.' })
  locale: EnvelopeLocale;

  @ApiProperty({ ...shape.text(20_000), description: 'Paragraphs with an empty line between them.' })
  text: string;

  @ApiProperty({ ...SHA256, description: 'SHA-256 of the text in UTF-8, hex.' })
  sha256: string;
}

/** How one signer stands; of the others it shows nothing. */
export class SignState {
  @ApiProperty()
  envelope: SignedEnvelopeView;

  @ApiProperty()
  signer: OwnSignerView;

  @ApiProperty({ maxItems: 200, type: () => [OwnFieldView] })
  fields: OwnFieldView[];

  @ApiProperty()
  document: OwnDocumentView;

  @ApiProperty()
  auth: AuthenticationView;

  @ApiProperty()
  consent: ConsentTextView;

  @ApiProperty({ enum: NEXT_STEPS, description: '`done`: nothing is left for this signer to do.' })
  next: NextStep;

  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', ...shape.text(2000) }, { type: 'boolean' }] },
    nullable: true,
    description:
      'What was entered so far (`PUT …/draft`); null without a proof of authentication, and when nothing was.',
  })
  draft: Record<string, string | boolean> | null;

  /** @param locale the language of the consent text; left out: the envelope's */
  static of(facts: SignerFacts, locale: EnvelopeLocale = facts.locale): SignState {
    const standing = standingIn(facts);
    return {
      envelope: envelopeOf(facts),
      signer: {
        role: facts.role,
        name: facts.name,
        email_masked: maskedEmail(facts.email),
        status: facts.status,
        signed_at: facts.signed_at?.toISOString() ?? null,
      },
      fields: facts.fields.map((field) => OwnFieldView.of(field, isProven(standing) ? facts : null)),
      document: {
        page_count: facts.page_count,
        base_sha256: facts.base_pdf_sha256.toString('hex'),
        shown_sha256: facts.document_shown_sha256?.toString('hex') ?? null,
        needs_authentication: documentNeedsProof(standing),
        copy_available: hasCopy(standing),
      },
      auth: authenticationOf(facts, standing),
      consent: { ...consentText(locale) },
      next: nextStep(standing),
      draft: facts.draft,
    };
  }
}

function envelopeOf(facts: SignerFacts): SignedEnvelopeView {
  return {
    id: typeId('env', facts.envelope_id),
    public_id: facts.public_id,
    subject: facts.subject,
    message: facts.message,
    tenant: shownTenant(facts.tenant_display_name, facts.tenant_brand),
    status: facts.envelope_status,
    locale: facts.locale,
    expires_at: facts.expires_at.toISOString(),
  };
}

/** Where a signer stands, for the one who asks. */
export function standingIn(facts: SignerFacts): Standing {
  const { envelope_status, status, document_access, auth, proof_methods } = facts;
  return {
    envelopeStatus: envelope_status,
    status,
    documentAccess: document_access,
    auth,
    proven: proof_methods ?? [],
  };
}
