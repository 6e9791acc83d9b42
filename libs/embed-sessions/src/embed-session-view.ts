import {
  EMBED_ACCESS_TOKEN,
  EMBED_KINDS,
  EMBED_STATES,
  EMBED_TOKEN,
  type EmbedExchanged,
  type EmbedKind,
  type EmbedState,
  PERSON_LOCALES,
  type PersonLocale,
  shape,
} from '@constancia/contracts';
import { METADATA, ORIGIN_LENGTH } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EmbedThemeBody, MOST_ORIGINS } from './embed-session-body.ts';
import type { EmbedSessionRow } from './embed-session-row.ts';
import { embedState } from './embed-state.ts';
import type { EmbedProgress } from './embed-targets.ts';

const token = ({ source }: RegExp) => ({ pattern: source, maxLength: 53 });
/** Kinds of what is shown. */
const TARGET = { type: 'string', pattern: '^(fls|sgn|wpr)_[0-7][0-9a-hjkmnp-tv-z]{25}$' } as const;
const ORIGIN = { type: 'string', ...shape.text(ORIGIN_LENGTH) } as const;

/** An embed session, and how far the person is with what it shows. */
export interface FoundEmbed {
  embed: EmbedSessionRow;
  /** TypeID. */
  targetId: string;
  progress: EmbedProgress;
}

@ApiSchema({ name: 'EmbedSession' })
export class EmbedSessionView {
  @ApiProperty({ ...shape.id('ems'), example: 'ems_01jd3v4x5pfqk8a9s7b2m0c1de' })
  id: string;

  @ApiProperty({ enum: EMBED_KINDS })
  kind: EmbedKind;

  @ApiProperty({ ...TARGET, description: 'The flow session, the signer, or the request.' })
  target_id: string;

  @ApiProperty({
    enum: EMBED_STATES,
    description:
      'created: no frame was opened; opened: a frame has it; in_progress: a step was taken, never of wallet_consent; completed: nothing is ' +
      'left for the person to do; failed: the flow session ended without success, the envelope without this signature, or the request was ' +
      'cancelled, or declined by a person who let you know; expired, revoked: the token no longer works, also because the link of the signer ' +
      'was replaced, or nobody answered the request: also a person who declined without letting you know.',
  })
  state: EmbedState;

  @ApiProperty({ type: 'array', minItems: 1, maxItems: MOST_ORIGINS, items: ORIGIN })
  allowed_origins: string[];

  @ApiProperty({
    ...ORIGIN,
    nullable: true,
    description: 'Origin of the page that holds the frame, once it was opened.',
  })
  parent_origin: string | null;

  @ApiProperty({ type: String, enum: [...PERSON_LOCALES, null], nullable: true })
  locale: PersonLocale | null;

  @ApiProperty({ type: EmbedThemeBody })
  theme: EmbedThemeBody;

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  external_ref: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
  })
  metadata: Record<string, string>;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When a frame opened it.' })
  opened_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  revoked_at: string | null;

  static of({ embed, targetId, progress }: FoundEmbed): EmbedSessionView {
    return {
      id: typeId('ems', embed.id),
      kind: embed.kind,
      target_id: targetId,
      state: embedState(embed, progress, new Date()),
      allowed_origins: embed.allowed_origins,
      parent_origin: embed.parent_origin,
      locale: embed.locale,
      theme: embed.theme,
      external_ref: embed.external_ref,
      metadata: embed.metadata,
      created_at: embed.created_at.toISOString(),
      expires_at: embed.expires_at.toISOString(),
      opened_at: embed.exchanged_at?.toISOString() ?? null,
      revoked_at: embed.revoked_at?.toISOString() ?? null,
    };
  }
}

@ApiSchema({ name: 'CreatedEmbedSession' })
export class CreatedEmbedSessionView extends EmbedSessionView {
  @ApiProperty({ ...token(EMBED_TOKEN), description: 'Part of embed_url. Shown once.' })
  token: string;

  @ApiProperty({
    format: 'uri',
    maxLength: 2_048,
    description: 'Goes into the attribute `session` of <service-embed>. Shown once: it holds the token.',
  })
  embed_url: string;
}

/** What the holder of an embed token sees. */
@ApiSchema({ name: 'EmbedState' })
export class EmbedStateView {
  @ApiProperty({ enum: EMBED_KINDS })
  kind: EmbedKind;

  @ApiProperty({ enum: EMBED_STATES })
  state: EmbedState;

  @ApiProperty({
    ...shape.word,
    type: String,
    nullable: true,
    description:
      'What is due: consent, document_upload, face_match or sarlaft; of a signer wait, consent, otp, access_code, identity or sign; of a ' +
      'request always consent. Null when it is over.',
  })
  step: string | null;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ type: String, enum: [...PERSON_LOCALES, null], nullable: true })
  locale: PersonLocale | null;

  @ApiProperty({ type: EmbedThemeBody })
  theme: EmbedThemeBody;

  static of({ embed, progress }: FoundEmbed): EmbedStateView {
    return {
      kind: embed.kind,
      state: embedState(embed, progress, new Date()),
      step: progress.step,
      expires_at: embed.expires_at.toISOString(),
      locale: embed.locale,
      theme: embed.theme,
    };
  }
}

/** What the one frame gets that opens a session. */
@ApiSchema({ name: 'EmbedExchanged' })
export class EmbedExchangedView implements EmbedExchanged {
  @ApiProperty(shape.id('ems'))
  id: string;

  @ApiProperty({ ...token(EMBED_ACCESS_TOKEN), description: 'Bearer for this frame. Shown once.' })
  access_token: string;

  @ApiProperty({ format: 'date-time', description: 'Moves on with every use, until the embed session expires.' })
  expires_at: string;
}
