import { shape } from '@constancia/contracts';
import { catalogue, DECISIONS, type Decision } from '@constancia/rule-graph';
import { ApiProperty } from '@nestjs/swagger';
import { CaseAttachmentView } from '../case-attachments/attachment-view.ts';
import { MOST_ATTACHMENTS } from '../case-records/attachment-types.ts';
import { CaseDetailView } from '../cases/case-detail-view.ts';
import { CaseSubjectView } from '../cases/case-subject-view.ts';
import { ListFreshnessView } from '../lists/list-freshness-view.ts';
import { BilingualTextView } from '../rules/list-templates.ts';
import { MOST_LISTS } from '../screenings/dated-screening-view.ts';
import { ScreeningDetailView } from '../screenings/screening-view.ts';
import { MOST_RULES } from '../validations/stored-rules.ts';
import { allowedToCaller, type Caller } from './allowed-to-caller.ts';
import type { CaseDossier, FiredRule } from './case-dossier.ts';

const LEGAL_BASES = new Map(catalogue().map(({ code, legal_basis }) => [code, legal_basis]));

export class FiredRuleView {
  @ApiProperty({ ...shape.ruleCode, example: 'SARLAFT-PEP-001' })
  code: string;

  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', example: 'review' })
  severity: Decision;

  @ApiProperty({ ...shape.count(), example: 50 })
  score: number;

  @ApiProperty({ ...shape.text(2000), type: 'string', nullable: true, example: 'Persona expuesta políticamente' })
  description: string | null;

  @ApiProperty({
    type: BilingualTextView,
    nullable: true,
    description: 'Of the rule of this code in the catalogue (GET /v1/templates); null for one of your own.',
  })
  legal_basis: BilingualTextView | null;

  static of({ code, severity, score, description }: FiredRule): FiredRuleView {
    return { code, severity, score, description, legal_basis: LEGAL_BASES.get(code) ?? null };
  }
}

/** A case with everything that its decision rests on. */
export class CaseDossierView extends CaseDetailView {
  @ApiProperty({ description: 'Who the case is about, as the last screening was told.' })
  subject: CaseSubjectView;

  @ApiProperty({
    type: () => ScreeningDetailView,
    nullable: true,
    description:
      'The last screening that was attached, with the payload, and with each hit compared word by word; null when it is not kept.',
  })
  screening: ScreeningDetailView | null;

  @ApiProperty({
    maxItems: MOST_RULES,
    type: () => [FiredRuleView],
    description:
      'The rules in `rules_fired`, by their code, as the last version up to `validation_version` that has them says them.',
  })
  rules: FiredRuleView[];

  @ApiProperty({ maxItems: MOST_ATTACHMENTS, type: () => [CaseAttachmentView], description: 'The oldest first.' })
  attachments: CaseAttachmentView[];

  @ApiProperty({
    maxItems: MOST_LISTS,
    type: () => [ListFreshnessView],
    description: 'Each list that the last screening was made with, as it was then.',
  })
  lists_when_screened: ListFreshnessView[];

  @ApiProperty({
    maxItems: MOST_LISTS,
    type: () => [ListFreshnessView],
    nullable: true,
    description:
      'The same versions as they were when the case was resolved; null until then. Had a newer version concerned the subject, ' +
      'monitoring would have screened it again.',
  })
  lists_when_decided: ListFreshnessView[] | null;

  static ofDossier(dossier: CaseDossier, caller: Caller): CaseDossierView {
    const { file, screening, rules, attachments, settings, dated } = dossier;
    const { list_versions: versions, opened_at, resolved_at } = file.found;
    const listsAt = (moment: Date) => dated.at(versions, moment).map((list) => ListFreshnessView.of(list));
    return {
      ...CaseDetailView.ofFile(file),
      allowed_actions: allowedToCaller(file.found, caller, settings),
      subject: file.found.subject,
      screening: screening ? ScreeningDetailView.ofRow(screening) : null,
      rules: rules.map((rule) => FiredRuleView.of(rule)),
      attachments: attachments.map((attachment) => CaseAttachmentView.of(attachment)),
      lists_when_screened: listsAt(screening?.created_at ?? opened_at),
      lists_when_decided: resolved_at && listsAt(resolved_at),
    };
  }
}
