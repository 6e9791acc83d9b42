import { PageOf } from '@constancia/http';
import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import type { Flow } from './flow.entity.ts';
import { FLOW_STATUSES, type FlowStatus } from './flow-states.ts';
import { STEP_TYPES, type StepType } from './step-types.ts';

export const FLOW_ID_EXAMPLE = 'flw_01jd3v4x5pfqk8a9s7b2m0c1de';

@ApiSchema({ name: 'FlowStep' })
export class FlowStepView {
  @ApiProperty({ enum: STEP_TYPES })
  step_type: StepType;

  @ApiPropertyOptional({ default: true, description: 'A step that is not required may be skipped: `{skip: true}`.' })
  required: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'consent: `purposes`. document_upload: `document_types`, `max_attempts` (1–10, default 3), `file_allowed` (whether the capture ' +
      'page also takes a file, default true). face_match: `liveness_mode` ' +
      '(basic or active), `max_attempts`, `thresholds` (`{accept, review}`, scores 0–1; null: those of the engine; the local engine ' +
      'raises an `accept` below its own, 0.9998), `passive_liveness` (what frames beside the selfie are for: off; signal, the default: ' +
      'suspicious ones send to review; require: so does a selfie without frames of a live head), `file_allowed` (default false), ' +
      '`reuse_requires_liveness` (whether a kept verification stands for the face: never requires one, stale (default) does over 90 days ' +
      'after it was made, always does). ' +
      'sarlaft: `validation_code` (default `default`).',
  })
  config: object;
}

@ApiSchema({ name: 'Flow' })
export class FlowView {
  @ApiProperty({ pattern: '^flw_[0-7][0-9a-hjkmnp-tv-z]{25}$', example: FLOW_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.code, example: 'default' })
  code: string;

  @ApiProperty({ ...shape.code, example: 'onboarding' })
  type: string;

  @ApiProperty({ enum: FLOW_STATUSES })
  status: FlowStatus;

  @ApiProperty(shape.ordinal)
  version: number;

  @ApiProperty({ maxItems: 10, type: [FlowStepView], description: 'In the order in which they are taken.' })
  steps: FlowStepView[];

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  published_at: string | null;

  static of(flow: Flow): FlowView {
    return {
      id: typeId('flw', flow.id),
      code: flow.code,
      type: flow.type,
      status: flow.status,
      version: flow.version,
      steps: flow.steps.map(({ step_type, required, config }) => ({ step_type, required, config })),
      created_at: flow.created_at.toISOString(),
      published_at: flow.published_at?.toISOString() ?? null,
    };
  }
}

export class FlowPage extends PageOf(FlowView, {
  data: 'Newest first.',
  cursor: 'Send it as cursor for the next page; null on the last one.',
}) {}
