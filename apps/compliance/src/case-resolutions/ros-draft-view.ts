import { shape } from '@constancia/contracts';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import { CaseSubjectView } from '../cases/case-subject-view.ts';

export class RosSubjectView extends CaseSubjectView {
  @ApiProperty({ enum: ['natural', 'legal'] })
  type: string;

  @ApiProperty({ ...shape.text(200), description: 'subject_ref of the screening.' })
  reference: string;
}

export class RosDetectionView {
  @ApiProperty(shape.id('scr'))
  screening_id: string;

  @ApiProperty({ format: 'date-time' })
  screened_at: string;

  @ApiProperty({ enum: ['review', 'reject'] })
  decision: string;

  @ApiProperty(shape.wide)
  score: number;

  @ApiProperty({ maxItems: 500, type: 'array', items: { type: 'string', ...shape.ruleCode } })
  rules_fired: string[];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', ...shape.listVersion } })
  list_versions: Record<string, string>;
}

export class RosMatchView {
  @ApiProperty({ enum: ALL_LIST_CODES })
  list: ListCode;

  @ApiProperty(shape.listEntry.id)
  entry_id: string;

  @ApiProperty(shape.listEntry.text)
  name: string;

  @ApiProperty(shape.listEntry.text)
  matched_name: string;

  @ApiProperty({ type: 'number' })
  score: number;
}

/** A hundred names, five hundred rules and the analyst’s reason stay below. */
const NARRATIVE = 1_100_000;

export class RosNarrativeView {
  @ApiProperty(shape.text(NARRATIVE))
  'es-CO': string;

  @ApiProperty(shape.text(NARRATIVE))
  en: string;
}

export class RosDraftView {
  @ApiProperty({ pattern: '^ROS-[0-9]{4}-[0-9A-Z]{12}$', example: 'ROS-2026-0R7WQ2M4XABC' })
  reference: string;

  @ApiProperty(shape.id('cas'))
  case_id: string;

  @ApiProperty({ format: 'date-time' })
  drafted_at: string;

  @ApiProperty(shape.text(128))
  drafted_by: string;

  @ApiProperty({ ...shape.text(120), description: "The tenant's name." })
  reporting_entity: string;

  @ApiProperty({ type: RosSubjectView })
  subject: RosSubjectView;

  @ApiProperty({ type: RosDetectionView })
  detection: RosDetectionView;

  @ApiProperty({ ...shape.growing, type: [RosMatchView] })
  matches: RosMatchView[];

  @ApiProperty(shape.text(4000))
  analyst_reason: string;

  @ApiProperty({ type: RosNarrativeView, description: 'A first account of the facts, in both languages.' })
  narrative: RosNarrativeView;

  @ApiProperty({ maxItems: 100, type: 'array', items: { type: 'string', ...shape.text(500) } })
  legal_basis: string[];

  @ApiProperty({
    maxItems: 100,
    type: 'array',
    items: { type: 'string', ...shape.text(500) },
    description: 'What only the reporting entity knows.',
  })
  to_complete: string[];
}
