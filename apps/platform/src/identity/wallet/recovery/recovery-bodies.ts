import { NewCredential } from '@constancia/auth/passkeys';
import {
  shape,
  WALLET_RECOVERY_CHECKS,
  WALLET_RECOVERY_STATES,
  type WalletRecoveryChallenge,
  type WalletRecoveryCompletion,
  type WalletRecoveryFacts,
  type WalletRecoveryStart,
  type WalletRecoveryState,
  type WalletRecoveryVerified,
} from '@constancia/contracts';
import { FACE_REASONS, type Pose, POSES } from '@constancia/face-matching';
import { Trimmed } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { MAIL_ADDRESS } from '@constancia/mail';
import { ApiHideProperty, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import type { WalletRecovery } from './wallet-recovery.entity.ts';

const RECOVERY_ID = /^wrc_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const CHALLENGE = /^lch_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const STORED_URI = /^asset:\/\/wrp_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const URI_HELP = 'Give a stored_uri as the upload was answered.';
const POSES_AT_MOST = 10;
/** What helps the person. What a comparison found against them would help somebody else more. */
const TOLD: readonly string[] = [
  ...FACE_REASONS.retry,
  'wrong_codes',
  'no_face',
  'another',
  'passkey_taken',
  'unavailable',
];

export class StartRecoveryBody {
  @ApiProperty({ description: 'The e-mail address of the wallet.', example: 'ana@correo.example.co' })
  @Trimmed()
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  @MaxLength(254)
  identifier: string;
}

export class VerifyRecoveryBody {
  @ApiProperty({ description: 'As start answered it.' })
  @Matches(RECOVERY_ID, { message: 'must be a recovery_id as it was answered' })
  recovery_id: string;

  @ApiProperty({ description: 'The six digits of the mail.', example: '042917' })
  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  @MaxLength(6)
  code: string;
}

export class RecoveryPasskeyBody {
  @ApiProperty({ ...shape.text(60), example: 'Mi celular' })
  @Trimmed()
  @IsString()
  @Length(1, 60)
  name: string;

  @ApiHideProperty()
  @ValidateNested()
  @Type(() => NewCredential)
  credential: NewCredential;
}

export class CompleteRecoveryBody implements WalletRecoveryCompletion {
  @ApiProperty({ description: 'As start answered it.' })
  @Matches(RECOVERY_ID, { message: 'must be a recovery_id as it was answered' })
  recovery_id: string;

  @ApiProperty({ description: 'Of the picture in which the person looks ahead.' })
  @Matches(STORED_URI, { message: URI_HELP })
  selfie_uri: string;

  @ApiProperty({ description: 'As the challenge was answered. Good for one attempt.' })
  @Matches(CHALLENGE, { message: 'must be a challenge_id as it was answered' })
  challenge_id: string;

  @ApiProperty({ description: 'A picture per pose, in order.' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(POSES_AT_MOST)
  @ArrayUnique()
  @Matches(STORED_URI, { each: true, message: URI_HELP })
  frame_uris: string[];

  @ApiHideProperty()
  @IsOptional()
  @ValidateNested()
  @Type(() => RecoveryPasskeyBody)
  passkey?: RecoveryPasskeyBody;
}

export class RecoveryStartView implements WalletRecoveryStart {
  @ApiProperty({ ...shape.id('wrc') })
  recovery_id: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the face has to be compared.' })
  expires_at: string;
}

export class RecoveryVerifiedView implements WalletRecoveryVerified {
  @ApiProperty({ enum: ['needs_liveness'] })
  state: 'needs_liveness';

  @ApiProperty({
    format: 'uri',
    maxLength: 400,
    description: 'PUT each picture here, with its Content-Type. `{upload_url}/challenge` says what it is to show.',
  })
  upload_url: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

export class RecoveryPictureView {
  @ApiProperty({ pattern: STORED_URI.source, maxLength: 40, description: 'What complete names it by.' })
  stored_uri: string;
}

export class RecoveryChallengeView implements WalletRecoveryChallenge {
  @ApiProperty({ ...shape.id('lch') })
  challenge_id: string;

  @ApiProperty({ maxItems: 5, enum: POSES, isArray: true, description: 'Upload one picture per pose, in this order.' })
  poses: Pose[];

  @ApiProperty({ format: 'date-time' })
  issued_at: string;

  @ApiProperty({ format: 'date-time', description: 'The last picture must have arrived by then, by our clock.' })
  expires_at: string;
}

export class RecoveryView implements WalletRecoveryFacts {
  @ApiProperty({ ...shape.id('wrc') })
  recovery_id: string;

  @ApiProperty({ enum: WALLET_RECOVERY_STATES })
  state: WalletRecoveryState;

  @ApiProperty({
    ...shape.text(60),
    type: String,
    nullable: true,
    description:
      'Why the face could not be compared, or why the recovery was rejected; `not_verified`: the comparison did not show that it is the person.',
  })
  reason: string | null;

  @ApiProperty({ minimum: 0, maximum: WALLET_RECOVERY_CHECKS, description: 'Comparisons of the face that are left.' })
  checks_left: number;

  @ApiProperty({ format: 'date-time', description: 'Until when the face has to be compared.' })
  expires_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'From when the new passkey is the only one, unless the recovery is cancelled before.',
  })
  effective_at: string | null;

  static of(row: WalletRecovery, now: Date = new Date()): RecoveryView {
    const left = ['started', 'contact_verified'].includes(row.state) && row.check_input === null;
    return {
      recovery_id: typeId('wrc', row.id),
      state: left && row.expires_at <= now ? 'expired' : row.state,
      reason: row.reason === null || TOLD.includes(row.reason) ? row.reason : 'not_verified',
      checks_left: Math.max(0, WALLET_RECOVERY_CHECKS - row.checks),
      expires_at: row.expires_at.toISOString(),
      effective_at: row.effective_at?.toISOString() ?? null,
    };
  }
}
