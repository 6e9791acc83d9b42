import { CHARGED_WORK_TABLES } from '@constancia/credit-ledger';
import { ChainType } from '@constancia/persistence';
import { PERSONAL_DATA_TABLES } from '@constancia/personal-data';
import { ARCHIVE_KEY_TABLES } from '@constancia/storage';
import { CaseStatsDay } from './case-queue/case-stats-day.entity.ts';
import { CaseAnchor } from './case-records/case-anchor.entity.ts';
import { CaseAttachmentRow } from './case-records/case-attachment.entity.ts';
import { CaseEventRow } from './case-records/case-event.entity.ts';
import { CaseJournal } from './case-records/case-journal.entity.ts';
import { CaseTerm } from './case-records/case-term.entity.ts';
import { ReviewCase } from './case-records/review-case.entity.ts';
import { SuppressedHit } from './case-records/suppressed-hit.entity.ts';
import { ErasureAccess } from './erasures/erasure-access.entity.ts';
import { ErasureReceipt } from './erasures/erasure-receipt.entity.ts';
import { ListCheck } from './lists/list-check.entity.ts';
import { ListClock } from './lists/list-clock.entity.ts';
import { ListContent } from './lists/list-content.entity.ts';
import { ListVersion } from './lists/list-version.entity.ts';
import { MonitoredSubject } from './monitoring/monitored-subject.entity.ts';
import { RescreenJob } from './monitoring/rescreen-job.entity.ts';
import { ScreeningBatchChunk } from './screening-batches/screening-batch-chunk.entity.ts';
import { ScreeningBatchRow } from './screening-batches/screening-batch-row.entity.ts';
import { ScreeningBatch } from './screening-batches/screening-batch.entity.ts';
import { ArchivedTimeline } from './cases/archive/archived-timeline.entity.ts';
import { TimelineArchive } from './cases/archive/timeline-archive.entity.ts';
import { ArchivedScreening } from './screenings/archive/archived-screening.entity.ts';
import { ScreeningArchive } from './screenings/archive/screening-archive.entity.ts';
import { Screening } from './screenings/screening.entity.ts';
import { SealingProgress } from './sealing/sealing-progress.entity.ts';
import { TenantSettings } from './settings/compliance-settings.entity.ts';
import { RuleRow } from './validations/rule.entity.ts';
import { Validation } from './validations/validation.entity.ts';

/** Every table of schema compliance, those of the kits at the end. Only the migrations' own is TypeORM's. */
export const COMPLIANCE_TABLES = [
  CaseAnchor,
  CaseAttachmentRow,
  CaseEventRow,
  CaseJournal,
  CaseStatsDay,
  CaseTerm,
  ReviewCase,
  SuppressedHit,
  ErasureAccess,
  ErasureReceipt,
  ListCheck,
  ListClock,
  ListContent,
  ListVersion,
  MonitoredSubject,
  RescreenJob,
  ArchivedTimeline,
  TimelineArchive,
  ArchivedScreening,
  ScreeningArchive,
  Screening,
  ScreeningBatch,
  ScreeningBatchChunk,
  ScreeningBatchRow,
  SealingProgress,
  TenantSettings,
  RuleRow,
  Validation,
  ...CHARGED_WORK_TABLES,
  ...PERSONAL_DATA_TABLES,
  ...ARCHIVE_KEY_TABLES,
  ChainType,
];
