import { type AppendedPage, type Block, Sheets } from '@constancia/pdf-sealing';
import type { RosDraft } from '../case-records/review-case.ts';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import type { CaseEventView } from '../cases/case-detail-view.ts';
import { listBlocks } from './list-blocks.ts';
import { hitBlocks, ruleBlocks } from './match-blocks.ts';
import { BOLD, FIXED, headed, labelled, LETTER, paragraphs, PLAIN, SOFT, stacked, titled } from './report-blocks.ts';
import { type ReportFacts, type Wording, wordingOf } from './report-facts.ts';
import { timelineBlocks } from './timeline-blocks.ts';

const MEDIA = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' } as const;

/** The pages of a case. What does not fit is cut; what cannot be drawn stands as U+FFFD. */
export function reportPages(facts: ReportFacts): [AppendedPage, ...AppendedPage[]] {
  const { dossier, rosDraft } = facts;
  const wording = wordingOf(facts.language);
  const { texts } = wording;
  const sheets = new Sheets(LETTER);
  const { width } = sheets;
  const isShown = ({ type }: CaseEventView) => rosDraft !== null || type !== 'ros_drafted';
  const blocks = [
    head(facts, width, wording),
    ...titled(texts.subject, [subject(dossier, width, wording)]),
    ...decision(dossier, width, wording),
    ...titled(texts.hits, hitBlocks(dossier, width, wording)),
    ...titled(texts.rules, ruleBlocks(dossier, width, wording)),
    ...listBlocks(dossier, width, wording),
    ...titled(texts.attachments, attachments(dossier, width, wording)),
    ...titled(texts.timeline, timelineBlocks(dossier, isShown, width, wording)),
    ...(rosDraft === null ? [] : ros(rosDraft, width, wording)),
  ];
  for (const block of blocks) sheets.put(block);
  return sheets.finished(`${texts.title} · ${dossier.id}`, texts.page) as [AppendedPage, ...AppendedPage[]];
}

function head({ dossier, entity, madeBy, madeAt }: ReportFacts, width: number, { texts, time }: Wording): Block {
  const { id, status, priority, assignee, opened_at, due_at, validation_code, validation_version } = dossier;
  const rows: [string, string][] = [
    [texts.entity, entity],
    [texts.case, id],
    [texts.status, texts.statuses[status]],
    [texts.priority, texts.priorities[priority]],
    [texts.assignee, assignee ?? texts.nobody],
    [texts.opened, time(opened_at)],
    [texts.due, time(due_at)],
    [texts.validation, texts.version(validation_code, validation_version)],
    [texts.made, texts.by(time(madeAt), madeBy)],
  ];
  return headed(texts.title, [
    ...rows.map(([label, value]) => labelled(label, value, width)),
    ...paragraphs(texts.reserved, width, SOFT),
  ]);
}

function subject(dossier: CaseDossierView, width: number, { texts, money }: Wording): Block {
  const { subject: about, subject_ref, subject_type } = dossier;
  const rows: [string, string][] = [
    [texts.name, about.full_name ?? texts.unnamed],
    [texts.reference, subject_ref],
    [texts.type, texts.types[subject_type]],
    [texts.document, [about.document_type, about.document_number].filter(Boolean).join(' ')],
    [texts.birth, about.birth_date ?? ''],
    [texts.country, about.country_code ?? ''],
    [texts.amount, money(about)],
  ];
  return stacked(rows.filter(([, value]) => value !== '').map(([label, value]) => labelled(label, value, width)));
}

/** What was decided, or proposed; nothing while neither is. */
function decision({ resolution, proposal }: CaseDossierView, width: number, { texts, time }: Wording): Block[] {
  if (resolution !== null) {
    const { decision: made, resolved_by, resolved_at, approved_by, reason } = resolution;
    return titled(texts.resolution, [
      stacked([
        ...paragraphs(texts.decided(texts.decisions[made], resolved_by, time(resolved_at)), width, BOLD),
        ...(approved_by === null ? [] : paragraphs(texts.approved(approved_by), width)),
      ]),
      ...paragraphs(reason, width),
    ]);
  }
  if (proposal === null) return [];
  const { decision: wanted, proposed_by, proposed_at, reason } = proposal;
  return titled(texts.proposal, [
    ...paragraphs(texts.decided(texts.decisions[wanted], proposed_by, time(proposed_at)), width, BOLD),
    ...paragraphs(reason, width),
  ]);
}

function attachments({ attachments: files }: CaseDossierView, width: number, { texts, time, size }: Wording): Block[] {
  if (files.length === 0) return paragraphs(texts.noAttachments, width);
  return files.map(({ name, media_type, size_bytes, sha256, attached_by, attached_at }) =>
    stacked([
      ...paragraphs(name, width, BOLD),
      ...paragraphs(texts.file(MEDIA[media_type], size(size_bytes), attached_by, time(attached_at)), width),
      ...paragraphs(`SHA-256 ${sha256}`, width, FIXED),
    ]),
  );
}

function ros(draft: RosDraft, width: number, { texts, time, language }: Wording): Block[] {
  const missing: Readonly<Record<string, string>> = texts.missingFacts;
  return titled(`${texts.ros} ${draft.reference}`, [
    stacked([
      ...paragraphs(texts.rosReserved, width, BOLD),
      labelled(texts.drafted, texts.by(time(draft.drafted_at), draft.drafted_by), width),
    ]),
    ...paragraphs(draft.narrative[language], width, PLAIN),
    ...paragraphs(`${texts.legalBasis}: ${draft.legal_basis.join('; ')}`, width),
    labelled(texts.toComplete, draft.to_complete.map((code) => missing[code] ?? code).join('; '), width),
  ]);
}
