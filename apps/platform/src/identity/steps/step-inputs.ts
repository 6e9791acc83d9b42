import { type LivenessMode, PASSIVE_FRAMES } from '@constancia/contracts';
import { checked } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  ValidateIf,
} from 'class-validator';
import type { FlowStep } from '../flows/step-types.ts';
import { CONSENT_LOCALES, type ConsentLocale } from '../flows/consent-texts.ts';

const STORED_URI = /^asset:\/\/[A-Za-z0-9_/-]{1,100}$/;
const URI_HELP = 'Give a stored_uri as presign-upload answered it.';

export class ConsentInput {
  @Equals(true, { message: 'Must be true: without consent the flow cannot go on.' })
  accepted: boolean;

  @IsOptional()
  @IsIn(CONSENT_LOCALES)
  locale?: ConsentLocale;

  @IsOptional()
  @IsString()
  version?: string;

  /** Of a request that the person approved: it stands for the document and the face. */
  @IsOptional()
  @IsString()
  reuse_presentation_id?: string;
}

/** Of a passport one page says everything. */
export class PassportInput {
  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  doc_front_uri: string;

  @IsOptional()
  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  doc_back_uri?: string;
}

/** Of a card the back carries what is read best. */
export class CardInput {
  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  doc_front_uri: string;

  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  doc_back_uri: string;
}

export class BasicFaceInput {
  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  selfie_uri: string;

  /** Pictures of the two seconds around the selfie, in the order in which they were taken; with the nonce that they answer. */
  @ValidateIf(({ frames, nonce }: BasicFaceInput) => frames !== undefined || nonce !== undefined)
  @IsArray()
  @ArrayMinSize(PASSIVE_FRAMES.least)
  @ArrayMaxSize(PASSIVE_FRAMES.most)
  @ArrayUnique()
  @IsString({ each: true })
  @Matches(STORED_URI, { each: true, message: URI_HELP })
  frames?: string[];

  @ValidateIf(({ frames, nonce }: BasicFaceInput) => frames !== undefined || nonce !== undefined)
  @IsString()
  nonce?: string;

  @IsOptional()
  @IsIn(['basic'], { message: 'Must be basic or active.' })
  liveness_mode?: LivenessMode;
}

export class ActiveFaceInput {
  @IsString()
  @Matches(STORED_URI, { message: URI_HELP })
  selfie_uri: string;

  @IsOptional()
  @IsIn(['active'], { message: 'This flow asks for active.' })
  liveness_mode?: LivenessMode;

  @IsString()
  challenge_id: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10)
  @IsString({ each: true })
  @Matches(STORED_URI, { each: true, message: URI_HELP })
  frame_uris: string[];
}

export class SarlaftInput {}

/** An input that fits the step. */
export type StepInput =
  | { step: 'skip' }
  | { step: 'consent'; input: ConsentInput }
  | { step: 'document_upload'; input: PassportInput }
  | { step: 'face_match'; mode: LivenessMode; input: BasicFaceInput | ActiveFaceInput }
  | { step: 'sarlaft' };

/**
 * Reads the input of an advance for the step that the session stands at; `documentType` is what the session was opened with. Throws
 * ValidationError with everything that is wrong; an empty input misses every member that the step needs.
 */
export function stepInput(step: FlowStep, input: object, documentType: string): StepInput {
  if ('skip' in input) return skipped(step, input);
  switch (step.step_type) {
    case 'consent':
      return { step: 'consent', input: checked(input, ConsentInput, '/input') };
    case 'document_upload':
      return {
        step: 'document_upload',
        input: checked<PassportInput>(input, documentType === 'PA' ? PassportInput : CardInput, '/input'),
      };
    case 'face_match':
      return faceInput(step.config.liveness_mode, input);
    case 'sarlaft':
      checked(input, SarlaftInput, '/input');
      return { step: 'sarlaft' };
  }
}

function skipped(step: FlowStep, input: { skip?: unknown }): StepInput {
  const fault = (detail: string) => new ValidationError([{ pointer: '/input/skip', code: 'not_allowed', detail }]);
  if (step.required) throw fault(`The step ${step.step_type} is required: it cannot be skipped.`);
  if (input.skip !== true || Object.keys(input).length > 1) throw fault('Must be true, and the only member.');
  return { step: 'skip' };
}

/** A flow that asks for active liveness is never served with less; one that asks for basic may be given more. */
function faceInput(asked: LivenessMode, input: object): StepInput {
  const mode =
    asked === 'active' || ('liveness_mode' in input && input.liveness_mode === 'active') ? 'active' : 'basic';
  const read = checked<BasicFaceInput>(input, mode === 'active' ? ActiveFaceInput : BasicFaceInput, '/input');
  return { step: 'face_match', mode, input: read };
}
