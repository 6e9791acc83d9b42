import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { verifyChain } from '@constancia/persistence';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  allowedActions,
  CASE_ACTIONS,
  CASE_STATUSES,
  type CaseAction,
  type CaseStatus,
} from '../case-records/case-states.ts';
import { CASE_EVENT_TYPES, type CaseEvent, type CaseEventType } from '../case-records/case-timeline.ts';
import { CaseView } from './case-view.ts';
import { hashedData } from '../case-records/event-texts.ts';
import type { CaseFile } from './case-files.ts';
import type { CaseHit } from '../case-records/noticed-screening.ts';

export class CaseHitView {
  @ApiProperty({ enum: ALL_LIST_CODES })
  list: ListCode;

  @ApiProperty(shape.listEntry.id)
  entry_id: string;

  @ApiProperty({ ...shape.listEntry.text, description: "The entry's primary name." })
  name: string;

  @ApiProperty({ ...shape.listEntry.text, description: 'The name of the entry that came closest.' })
  matched_name: string;

  @ApiProperty({ type: 'number', description: '0 to 1.' })
  score: number;

  @ApiPropertyOptional({
    ...shape.text(256),
    description: 'Where the payload names the party that was compared; absent for the subject.',
  })
  party?: string;

  static of({ list, entry_id, name, matched_name, score, party }: CaseHit): CaseHitView {
    return { list, entry_id, name, matched_name, score, ...(party !== undefined && { party }) };
  }
}

/** A link of the timeline. What is hashed is described in docs/guides/verify-timeline.md. */
export class CaseEventView {
  @ApiProperty(shape.ordinal)
  seq: number;

  @ApiProperty({ enum: CASE_EVENT_TYPES })
  type: CaseEventType;

  @ApiProperty({ ...shape.text(128), description: 'X-Actor, the prefix of the API key, or system.' })
  actor: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ enum: [...CASE_STATUSES, null], nullable: true, type: 'string' })
  from: CaseStatus | null;

  @ApiProperty({ enum: CASE_STATUSES })
  to: CaseStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Texts that people wrote are not hashed themselves: `personal` names these members, and has the SHA-256 of its `salt` and of them.',
  })
  data: Record<string, unknown>;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'The hash of the event before; 64 zeros in the first.' })
  prev_hash: string;

  @ApiProperty({ pattern: '^[0-9a-f]{64}$' })
  hash: string;
}

/** A case with its timeline. */
export class CaseDetailView extends CaseView {
  @ApiProperty({ ...shape.growing, type: [CaseHitView] })
  hits: CaseHitView[];

  @ApiProperty({
    maxItems: CASE_ACTIONS.length,
    enum: CASE_ACTIONS,
    isArray: true,
    description: 'What its state allows; of GET /v1/cases/{id}: to you.',
  })
  allowed_actions: CaseAction[];

  @ApiProperty({ ...shape.growing, type: [CaseEventView], description: 'The oldest event first.' })
  timeline: CaseEventView[];

  @ApiProperty({ description: 'Whether every link of the timeline is what it was when it was written.' })
  chain_valid: boolean;

  static ofFile(file: CaseFile): CaseDetailView {
    return {
      ...CaseView.of(file.found),
      hits: file.found.hits.map((hit) => CaseHitView.of(hit)),
      allowed_actions: allowedActions(file.found.status),
      timeline: file.timeline,
      chain_valid: chainValid(file),
    };
  }
}

/** The chain holds, ends where the case says, holds every anchored link, and is this case's: its first event names it. */
export function chainValid({ found, timeline, anchored, moved }: CaseFile): boolean {
  const [first] = timeline as (CaseEvent | undefined)[];
  const isThisCase = moved !== undefined || first?.data['case_id'] === typeId('cas', found.id);
  const hashed = timeline.flatMap((event) => {
    const data = hashedData(event.data);
    return data === null ? [] : [{ ...event, data }]; // left out: a gap
  });
  const verdict = verifyChain(hashed, [...anchored, { seq: found.head_seq, hash: found.head_hash }], moved);
  return verdict.valid && verdict.head?.seq === found.head_seq && isThisCase;
}
