import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';

const BASE64URL = /^[A-Za-z0-9_-]+$/;

class CeremonyBody {
  @Matches(BASE64URL)
  @MaxLength(1_400)
  id: string;

  @Matches(BASE64URL)
  @MaxLength(1_400)
  rawId: string;

  @Equals('public-key')
  type: 'public-key';

  @IsOptional()
  @IsIn(['platform', 'cross-platform'])
  authenticatorAttachment?: 'platform' | 'cross-platform';

  /** Not looked at. */
  @IsOptional()
  @IsObject()
  clientExtensionResults: object;
}

class SignedAssertion {
  @Matches(BASE64URL)
  @MaxLength(4_000)
  clientDataJSON: string;

  @Matches(BASE64URL)
  @MaxLength(4_000)
  authenticatorData: string;

  @Matches(BASE64URL)
  @MaxLength(4_000)
  signature: string;

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(100)
  userHandle?: string;
}

/** What navigator.credentials.get() signed. */
export class PasskeySignInBody extends CeremonyBody {
  @ValidateNested()
  @Type(() => SignedAssertion)
  response: SignedAssertion;
}

class SignedAttestation {
  @Matches(BASE64URL)
  @MaxLength(4_000)
  clientDataJSON: string;

  @Matches(BASE64URL)
  @MaxLength(20_000)
  attestationObject: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(10)
  @Matches(/^[a-z-]{1,20}$/, { each: true })
  transports?: string[];

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(4_000)
  authenticatorData?: string;

  @IsOptional()
  @Matches(BASE64URL)
  @MaxLength(4_000)
  publicKey?: string;

  @IsOptional()
  publicKeyAlgorithm?: number;
}

/** What navigator.credentials.create() made. */
export class NewCredential extends CeremonyBody {
  @ValidateNested()
  @Type(() => SignedAttestation)
  response: SignedAttestation;
}
