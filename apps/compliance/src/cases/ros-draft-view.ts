import { ALL_LIST_CODES, type ListCode } from '@constancia/kernel';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class RosSubjectView {
  @ApiProperty({ enum: ['natural', 'legal'] })
  type: string;

  @ApiProperty({ description: 'subject_ref of the screening.' })
  reference: string;

  @ApiPropertyOptional()
  full_name?: string;

  @ApiPropertyOptional({ format: 'date' })
  birth_date?: string;

  @ApiPropertyOptional()
  document_type?: string;

  @ApiPropertyOptional()
  document_number?: string;

  @ApiPropertyOptional({ description: 'ISO 3166-1 alpha-2.' })
  country_code?: string;

  @ApiPropertyOptional({ type: 'number' })
  amount?: number;

  @ApiPropertyOptional({ description: 'ISO 4217.' })
  currency?: string;
}

export class RosDetectionView {
  @ApiProperty()
  screening_id: string;

  @ApiProperty({ format: 'date-time' })
  screened_at: string;

  @ApiProperty({ enum: ['review', 'reject'] })
  decision: string;

  @ApiProperty({ type: 'integer' })
  score: number;

  @ApiProperty({ type: [String] })
  rules_fired: string[];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  list_versions: Record<string, string>;
}

export class RosMatchView {
  @ApiProperty({ enum: ALL_LIST_CODES })
  list: ListCode;

  @ApiProperty()
  entry_id: string;

  @ApiProperty()
  name: string;

  @ApiProperty()
  matched_name: string;

  @ApiProperty({ type: 'number' })
  score: number;
}

export class RosNarrativeView {
  @ApiProperty()
  'es-CO': string;

  @ApiProperty()
  en: string;
}

export class RosDraftView {
  @ApiProperty({ example: 'ROS-2026-0R7WQ2M4XABC' })
  reference: string;

  @ApiProperty()
  case_id: string;

  @ApiProperty({ format: 'date-time' })
  drafted_at: string;

  @ApiProperty()
  drafted_by: string;

  @ApiProperty({ description: "The tenant's name." })
  reporting_entity: string;

  @ApiProperty({ type: RosSubjectView })
  subject: RosSubjectView;

  @ApiProperty({ type: RosDetectionView })
  detection: RosDetectionView;

  @ApiProperty({ type: [RosMatchView] })
  matches: RosMatchView[];

  @ApiProperty()
  analyst_reason: string;

  @ApiProperty({ type: RosNarrativeView, description: 'A first account of the facts, in both languages.' })
  narrative: RosNarrativeView;

  @ApiProperty({ type: [String] })
  legal_basis: string[];

  @ApiProperty({ type: [String], description: 'What only the reporting entity knows.' })
  to_complete: string[];
}
