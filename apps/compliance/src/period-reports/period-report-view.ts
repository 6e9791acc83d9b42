import { shape } from '@constancia/contracts';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { DECISIONS } from '@constancia/rule-graph';
import { ApiProperty } from '@nestjs/swagger';
import { CASE_PRIORITIES } from '../case-records/case-priority.ts';
import { CASE_STATUSES } from '../case-records/case-states.ts';
import { CASE_DECISIONS } from '../case-records/review-case.ts';
import { TRIGGERS } from '../screenings/screening-history.ts';
import type { CaseTotals } from './case-totals.sql.ts';
import type { ListAgeTotals } from './list-age-totals.ts';
import type { PeriodTotals } from './period-reports.ts';
import type { ScreeningTotals } from './screening-totals.sql.ts';
import { type Spread, spreadOf } from './tallies.ts';

const counts = (description: string, names?: readonly string[]) => ({
  type: 'object' as const,
  description,
  additionalProperties: shape.count(),
  ...(names && { example: Object.fromEntries(names.map((name) => [name, 0])) }),
});
const HOURS = { type: 'number', minimum: 0, description: 'To the minute.', example: 5.5 } as const;

export class HoursToResolveView implements Spread {
  @ApiProperty(HOURS)
  median_hours: number;

  @ApiProperty({ ...HOURS, description: 'Nine of ten cases took no longer.' })
  p90_hours: number;

  @ApiProperty(HOURS)
  longest_hours: number;
}

export class OldestListView {
  @ApiProperty({ enum: ALL_LIST_CODES, enumName: 'ListCode', example: 'OFAC' })
  code: ListCode;

  @ApiProperty({ ...shape.listVersion, description: 'The version that was oldest when it was decided with.' })
  version: string;

  @ApiProperty({ ...shape.count(), description: 'How old it was then.' })
  age_seconds: number;

  @ApiProperty({ ...shape.count(), type: 'integer', nullable: true, description: 'null: the list does not age.' })
  max_age_days: number | null;

  @ApiProperty({ ...shape.count(), description: 'Decisions made while it was older than that.' })
  stale_decisions: number;
}

export class DecidedListsView {
  @ApiProperty(shape.count())
  decisions: number;

  @ApiProperty({ ...shape.count(), description: 'Made with a list that was older than the operator allows today.' })
  with_stale_list: number;

  @ApiProperty({ ...shape.count(), description: 'Made with a version whose dates are not kept.' })
  with_unknown_version: number;

  @ApiProperty({ maxItems: ALL_LIST_CODES.length, type: () => [OldestListView] })
  by_list: OldestListView[];

  static of(ages: ListAgeTotals): DecidedListsView {
    return {
      decisions: ages.decisions,
      with_stale_list: ages.stale,
      with_unknown_version: ages.unknown,
      by_list: ages.byList().map(([code, { oldest, stale }]) => ({
        code,
        version: oldest.version,
        age_seconds: Math.floor(oldest.ageMs / 1000),
        max_age_days: oldest.maxAgeDays,
        stale_decisions: stale,
      })),
    };
  }
}

export class CaseTotalsView {
  @ApiProperty({ ...shape.count(), description: 'Cases that were opened in the period.' })
  opened: number;

  @ApiProperty({ ...shape.count(), description: 'Those of them that are not resolved and past due_at.' })
  overdue: number;

  @ApiProperty({ ...shape.count(), description: 'Those of them that were resolved after due_at.' })
  resolved_late: number;

  @ApiProperty({ ...shape.count(), description: 'With a ROS draft. 0: report the absence (AROS).' })
  ros_drafts: number;

  @ApiProperty(counts('By the state that they have now.', CASE_STATUSES))
  by_status: Record<string, number>;

  @ApiProperty(counts('Resolved ones by their decision.', CASE_DECISIONS))
  by_decision: Record<string, number>;

  @ApiProperty(counts('By priority.', CASE_PRIORITIES))
  by_priority: Record<string, number>;

  @ApiProperty(counts('With a hit on each list.', ALL_LIST_CODES))
  by_list: Record<string, number>;

  @ApiProperty(counts('By each rule that fired, the most frequent first.', ['SARLAFT-PEP-001']))
  by_rule: Record<string, number>;

  @ApiProperty({ type: () => HoursToResolveView, nullable: true, description: 'null while none is resolved.' })
  time_to_resolve: HoursToResolveView | null;

  @ApiProperty({
    type: () => DecidedListsView,
    description: 'How old the lists of the last screening were when the case was resolved.',
  })
  lists_when_decided: DecidedListsView;

  static of({ by, minutes, ages }: CaseTotals): CaseTotalsView {
    return {
      opened: by.status.total,
      overdue: by.fact.of('overdue'),
      resolved_late: by.fact.of('late'),
      ros_drafts: by.fact.of('ros'),
      by_status: by.status.named(CASE_STATUSES),
      by_decision: by.decision.named(CASE_DECISIONS),
      by_priority: by.priority.named(CASE_PRIORITIES),
      by_list: by.list.named(ALL_LIST_CODES),
      by_rule: by.rule.named(),
      time_to_resolve: spreadOf(minutes),
      lists_when_decided: DecidedListsView.of(ages),
    };
  }
}

export class OutcomesOfTypesView {
  @ApiProperty(counts('Natural persons.', DECISIONS))
  natural: Record<string, number>;

  @ApiProperty(counts('Legal entities.', DECISIONS))
  legal: Record<string, number>;
}

export class ScreeningTotalsView {
  @ApiProperty({ ...shape.count(), description: 'Screenings that were made in the period.' })
  made: number;

  @ApiProperty(counts('By their decision.', DECISIONS))
  by_outcome: Record<string, number>;

  @ApiProperty({ type: () => OutcomesOfTypesView })
  by_subject_type: OutcomesOfTypesView;

  @ApiProperty(counts('By what they were made for.', TRIGGERS))
  by_trigger: Record<string, number>;

  @ApiProperty(counts('With a hit on each list.', ALL_LIST_CODES))
  by_list: Record<string, number>;

  @ApiProperty({ type: () => DecidedListsView, description: 'How old the lists were when a subject was screened.' })
  lists_when_screened: DecidedListsView;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'Screenings of up to then are archived in files, and not counted here; GET /v1/export names the files. null: all of the period are counted.',
  })
  archived_until: string | null;

  static of({ outcomes, ofType, triggers, lists, ages }: ScreeningTotals, archived: Date | null): ScreeningTotalsView {
    return {
      made: outcomes.total,
      by_outcome: outcomes.named(DECISIONS),
      by_subject_type: { natural: ofType.natural.named(DECISIONS), legal: ofType.legal.named(DECISIONS) },
      by_trigger: triggers.named(TRIGGERS),
      by_list: lists.named(ALL_LIST_CODES),
      lists_when_screened: DecidedListsView.of(ages),
      archived_until: archived?.toISOString() ?? null,
    };
  }
}

/** What a compliance officer reports of a period. */
export class PeriodReportView {
  @ApiProperty({ format: 'date-time' })
  from: string;

  @ApiProperty({ format: 'date-time', description: 'Exclusive.' })
  to: string;

  @ApiProperty({ format: 'date-time', description: 'When it was counted.' })
  made_at: string;

  @ApiProperty({ type: () => CaseTotalsView })
  cases: CaseTotalsView;

  @ApiProperty({ type: () => ScreeningTotalsView })
  screenings: ScreeningTotalsView;

  static of({ period, madeAt, cases, screenings, archivedUntil }: PeriodTotals): PeriodReportView {
    return {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      made_at: madeAt.toISOString(),
      cases: CaseTotalsView.of(cases),
      screenings: ScreeningTotalsView.of(screenings, archivedUntil),
    };
  }
}
