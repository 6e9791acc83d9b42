import { PageOf } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { DOCUMENT_TYPES } from '@constancia/reference-data';
import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiOkResponse,
  type ApiResponseOptions,
  ApiProperty,
  ApiPropertyOptional,
  ApiSchema,
  getSchemaPath,
  OmitType,
} from '@nestjs/swagger';
import { STEP_TYPES, type StepType } from '../flows/step-types.ts';
import { consentText, CONSENT_LOCALES, type ConsentLocale } from '../flows/consent-texts.ts';
import { currentStep, type FlowSession } from './session-row.ts';
import { LAST_OUTCOMES, SESSION_STATUSES, type SessionStatus } from './session-states.ts';

type ResponseHeaders = ApiResponseOptions['headers'];

const SESSION_TOKEN_EXAMPLE = 'fst_Q0dN8yXcV1rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxE';
export const SESSION_ID_EXAMPLE = 'fls_01jd3v4x5pfqk8a9s7b2m0c1de';

@ApiSchema({ name: 'ConsentText' })
export class ConsentTextView {
  @ApiProperty(shape.text(40))
  version: string;

  @ApiProperty({ enum: CONSENT_LOCALES })
  locale: ConsentLocale;

  @ApiProperty({ ...shape.text(20000), description: 'What the subject is to read before consenting.' })
  text: string;

  @ApiProperty({ ...shape.sha256, description: 'SHA-256 of the text, hex.' })
  sha256: string;
}

/** What the step that a session stands at asks for. */
@ApiSchema({ name: 'CurrentStep' })
export class CurrentStepView {
  @ApiProperty({ enum: STEP_TYPES })
  step_type: StepType;

  @ApiProperty()
  required: boolean;

  @ApiPropertyOptional({ ...shape.count(), description: 'Where a step has a bound of attempts.' })
  attempts_left?: number;

  @ApiPropertyOptional({
    maxItems: DOCUMENT_TYPES.length,
    type: 'array',
    items: { type: 'string', enum: [...DOCUMENT_TYPES] },
    description: 'document_upload: documents that are taken.',
  })
  document_types?: string[];

  @ApiPropertyOptional({ enum: ['basic', 'active'], description: 'face_match: the least that is asked for.' })
  liveness_mode?: string;

  @ApiPropertyOptional({ maxItems: 10, type: [ConsentTextView], description: 'consent: the texts, by language.' })
  consent_texts?: ConsentTextView[];
}

@ApiSchema({ name: 'FlowSession' })
export class SessionView {
  @ApiProperty({ pattern: '^fls_[0-7][0-9a-hjkmnp-tv-z]{25}$', example: SESSION_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.id('sub'), example: 'sub_01jd3v4x5pfqk8a9s7b2m0c1de' })
  subject_id: string;

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  external_ref: string | null;

  @ApiProperty({ ...shape.id('flw'), description: 'The version of the flow that the session is pinned to.' })
  flow_id: string;

  @ApiProperty({ enum: SESSION_STATUSES })
  status: SessionStatus;

  @ApiPropertyOptional({
    ...shape.id('wpr'),
    description: 'The kept verification that stands for its document and face: nothing was uploaded.',
  })
  reused_presentation_id?: string;

  @ApiProperty({ type: String, enum: [...STEP_TYPES, null], nullable: true, description: 'Null when it is over.' })
  current_step: StepType | null;

  @ApiProperty({ type: String, enum: [...LAST_OUTCOMES, null], nullable: true })
  last_outcome: string | null;

  @ApiPropertyOptional({ ...shape.word, description: 'With last_outcome retry: why, as a stable word.' })
  reason?: string;

  @ApiPropertyOptional({ ...shape.word, description: 'On a failed session: why, as a stable word.' })
  rejection_reason?: string;

  @ApiPropertyOptional({
    enum: [true],
    description: 'A person’s review waits: for the compliance module’s case, or for a second person (four eyes).',
  })
  pending_approval?: true;

  @ApiPropertyOptional({ type: CurrentStepView, description: 'What the current step asks for.' })
  step?: CurrentStepView;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  completed_at: string | null;

  static of(session: FlowSession): SessionView {
    const { last_outcome, last_reason, rejection_reason } = session;
    const step = currentStep(session);
    return {
      id: typeId('fls', session.id),
      subject_id: typeId('sub', session.subject_id),
      external_ref: session.external_ref,
      flow_id: typeId('flw', session.flow_id),
      status: session.status,
      ...(session.presentation_id !== null && { reused_presentation_id: typeId('wpr', session.presentation_id) }),
      current_step: step?.step_type ?? null,
      last_outcome,
      ...(last_outcome === 'retry' && last_reason !== null && { reason: last_reason }),
      ...(rejection_reason !== null && { rejection_reason }),
      ...(session.pending_approval && session.status === 'manual_review' && { pending_approval: true }),
      ...(step && { step: currentStepView(session) }),
      created_at: session.created_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
      completed_at: session.status === 'completed' ? (session.completed_at?.toISOString() ?? null) : null,
    };
  }
}

/** The same with the answers gathered so far. */
@ApiSchema({ name: 'AdvancedSession' })
export class AdvancedSessionView extends SessionView {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The accumulated answers, by step: consent, document_upload, face_match, sarlaft.',
  })
  context: object;
}

/** What the bearer of the session's token sees; personSession makes it. */
@ApiSchema({ name: 'SessionOfPerson' })
export class PersonSessionView extends OmitType(SessionView, ['external_ref', 'rejection_reason', 'pending_approval']) {
  @ApiPropertyOptional({
    ...shape.word,
    description: 'On a failed session: why, where it is about the document, the face or the time; else `not_approved`.',
  })
  rejection_reason?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
    description: 'The steps that were taken. consent: what was agreed to; of the others nothing, or `skipped`.',
  })
  context: Record<string, Record<string, unknown>>;
}

/** GET and advance of a session: what the API key sees, or what the session token sees. */
export function ApiSessionOk(headers?: ResponseHeaders): MethodDecorator {
  const views = [AdvancedSessionView, PersonSessionView];
  return applyDecorators(
    ApiExtraModels(...views),
    ApiOkResponse({
      description: 'With the API key an AdvancedSession; with the session token a SessionOfPerson.',
      headers,
      schema: { anyOf: views.map((view) => ({ $ref: getSchemaPath(view) })) },
    }),
  );
}

@ApiSchema({ name: 'OpenedSession' })
export class OpenedSessionView extends SessionView {
  @ApiProperty({
    pattern: '^fst_[0-9A-Za-z]{43}$',
    description: 'Bearer for this session alone. Shown once.',
    example: SESSION_TOKEN_EXAMPLE,
  })
  session_token: string;

  @ApiProperty({ pattern: '^fst_[0-9A-Za-z]{43}$', description: 'The same.', example: SESSION_TOKEN_EXAMPLE })
  token: string;

  @ApiPropertyOptional({
    format: 'uri',
    maxLength: 2_048,
    description: 'Of a hosted session: the page that the subject opens. Shown once; its token stands in the fragment.',
    example: `https://person.example.com/capture#cpt_Q0dN8yXcV1rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxE0aB1cD`,
  })
  capture_url?: string;
}

export class SessionPage extends PageOf(SessionView, {
  data: 'Newest first.',
  cursor: 'Send it as cursor for the next page; null on the last one.',
}) {}

function currentStepView(session: FlowSession): CurrentStepView | undefined {
  const step = currentStep(session);
  if (!step) return undefined;
  const { step_type, required } = step;
  const used = session.attempts[step_type] ?? 0;
  switch (step.step_type) {
    case 'consent':
      return { step_type, required, consent_texts: CONSENT_LOCALES.map((locale) => consentText(locale)) };
    case 'document_upload': {
      const { document_types, max_attempts } = step.config;
      return { step_type, required, attempts_left: max_attempts - used, document_types };
    }
    case 'face_match': {
      const { liveness_mode, max_attempts } = step.config;
      return { step_type, required, attempts_left: max_attempts - used, liveness_mode };
    }
    case 'sarlaft':
      return { step_type, required };
  }
}
