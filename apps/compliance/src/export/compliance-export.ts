import { archiveKeyLine, archiveLine } from '@constancia/archives';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { ArchiveKeys } from '@constancia/storage';
import {
  asRows,
  type ExportedFile,
  type ExportedRow,
  type ExportSource,
  linePages,
  type ListedPage,
  newestFirst,
  newestPage,
} from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { LessThan, Not } from 'typeorm';
import { typeId } from '@constancia/kernel';
import { CaseAttachmentView } from '../case-attachments/attachment-view.ts';
import { attachmentWithBytes, listAttachments, type OpenAttachment } from '../case-attachments/stored-attachments.ts';
import { ATTACHMENT_ENDINGS } from '../case-records/attachment-types.ts';
import { exportView } from '../case-exports/list-exports.ts';
import { CaseJournal } from '../case-records/case-journal.entity.ts';
import { TimelineArchives } from '../cases/archive/timeline-archives.ts';
import { CaseDetailView } from '../cases/case-detail-view.ts';
import { openCase } from '../case-records/case-secrets.ts';
import { listFiles, storedCases } from '../cases/case-files.ts';
import { ErasureReceipt } from '../erasures/erasure-receipt.entity.ts';
import { ErasureView } from '../erasures/erasure-view.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { RuleView } from '../rules/rule-view.ts';
import { ScreeningBatchView } from '../screening-batches/screening-batch-view.ts';
import { ScreeningBatch } from '../screening-batches/screening-batch.entity.ts';
import { ScreeningArchive } from '../screenings/archive/screening-archive.entity.ts';
import { DatedScreeningView } from '../screenings/dated-screening-view.ts';
import { detailedScreenings } from '../screenings/screenings.ts';
import { shownSettings } from '../settings/compliance-settings.ts';
import { rulesOf } from '../validations/stored-rules.ts';
import { ValidationView } from '../validations/validation-view.ts';
import { listValidations } from '../validations/validations.ts';

/** Cases whose timelines are in memory at a time. */
const CASES = 50;

/** What this module exports: what its lists and details show, and where archived screenings and timelines are. Row-level security hides what an erasure has blocked. */
@Injectable()
export class ComplianceExport {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly ages: ListAges,
    private readonly archiveKeys: ArchiveKeys,
    private readonly timelines: TimelineArchives,
  ) {}

  async source(tenantId: string): Promise<ExportSource> {
    const keyring = await this.personal.tenant(tenantId);
    return {
      module: 'compliance',
      database: this.database,
      files: [
        ...ruleFiles(tenantId),
        ...subjectFiles(keyring, tenantId, this.ages, this.timelines),
        ...archiveFiles(tenantId, this.timelines, this.archiveKeys),
        ...recordFiles(tenantId),
      ],
      open: ({ key }) => this.attachment(keyring, tenantId, key),
    };
  }

  /** The bytes of an attachment; null when its case was blocked since. */
  private async attachment(keyring: TenantKeyring, tenantId: string, id: string): Promise<Buffer[] | null> {
    const read = (tx: Tx) => attachmentWithBytes(tx, keyring, { tenantId, id });
    const file = await this.database.tenant(tenantId, read);
    return file && [file.bytes];
  }
}

function ruleFiles(tenantId: string): ExportedFile[] {
  const validations = (tx: Tx) =>
    newestFirst(
      (page) => listValidations(tx, tenantId, page),
      ({ id }) => id,
    );
  async function* rules(tx: Tx): AsyncGenerator<ExportedRow[]> {
    for await (const rows of validations(tx)) {
      for (const { id } of rows) yield (await rulesOf(tx, tenantId, id)).map((rule) => ({ line: RuleView.of(rule) }));
    }
  }
  async function* settings(tx: Tx): AsyncGenerator<ExportedRow[]> {
    yield [{ line: await shownSettings(tx, tenantId) }];
  }
  return [
    { name: 'settings', pages: settings },
    { name: 'validations', pages: (tx) => asRows(validations(tx), (row) => ({ line: ValidationView.of(row) })) },
    { name: 'rules', pages: rules },
  ];
}

function subjectFiles(
  keyring: TenantKeyring,
  tenantId: string,
  ages: ListAges,
  archives: TimelineArchives,
): ExportedFile[] {
  async function* screenings(tx: Tx): AsyncGenerator<ExportedRow[]> {
    const dated = await ages.since(tx, new Date(0));
    const pages = newestFirst(
      (page) => detailedScreenings(tx, keyring, tenantId, page),
      ({ id }) => id,
    );
    for await (const rows of pages)
      yield rows.map((row) => ({ line: DatedScreeningView.ofDated(row, dated.at(row.list_versions, row.created_at)) }));
  }
  const cases = (tx: Tx) =>
    newestFirst(
      (page) => listFiles(tx, keyring, tenantId, { ...page, archives }),
      ({ found }) => found.id,
      CASES,
    );
  const attachments = (tx: Tx) =>
    newestFirst(
      (page) => listAttachments(tx, keyring, tenantId, page),
      ({ id }) => id,
    );
  return [
    { name: 'screenings', pages: screenings },
    { name: 'cases', pages: (tx) => asRows(cases(tx), (file) => ({ line: CaseDetailView.ofFile(file) })) },
    {
      name: 'case-attachments',
      pages: (tx) => asRows(attachments(tx), (attachment) => attachmentRow(attachment)),
    },
    { name: 'ros-drafts', pages: (tx) => drafts(tx, keyring, tenantId) },
  ];
}

function attachmentRow(attachment: OpenAttachment): ExportedRow {
  const { id, case_id, media_type } = attachment;
  return {
    line: { case_id: typeId('cas', case_id), ...CaseAttachmentView.of(attachment) },
    objects: [{ path: `attachments/${typeId('caf', id)}${ATTACHMENT_ENDINGS[media_type][0]}`, key: id }],
  };
}

/** Where screenings and timelines are that the database has no longer, and what verifies the files. */
function archiveFiles(tenantId: string, timelines: TimelineArchives, archiveKeys: ArchiveKeys): ExportedFile[] {
  async function* screenings(tx: Tx): AsyncGenerator<ExportedRow[]> {
    const files = await tx.manager.find(ScreeningArchive, {
      where: { tenant_id: tenantId },
      order: { through_seq: 'DESC' },
    });
    yield files.map((file) => ({ line: archiveLine(file) }));
  }
  async function* keys(): AsyncGenerator<ExportedRow[]> {
    yield (await archiveKeys.list()).map((key) => ({ line: archiveKeyLine(key) }));
  }
  return [
    { name: 'screening-archives', pages: screenings },
    { name: 'timeline-archives', pages: (tx) => linePages((page) => timelines.exportedFiles(tx, tenantId, page)) },
    { name: 'archived-timelines', pages: (tx) => linePages((page) => timelines.exportedPlaces(tx, tenantId, page)) },
    { name: 'archive-keys', pages: keys },
  ];
}

function recordFiles(tenantId: string): ExportedFile[] {
  const exports = (tx: Tx) =>
    newestFirst(
      (page) => journal(tx, tenantId, page),
      ({ seq }) => String(seq),
    );
  const receipts = (tx: Tx) =>
    newestFirst(
      (page) => tx.manager.find(ErasureReceipt, newestPage(tenantId, page)),
      ({ id }) => id,
    );
  const batches = (tx: Tx) =>
    newestFirst(
      (page) => shownBatches(tx, tenantId, page),
      ({ id }) => id,
    );
  return [
    { name: 'screening-batches', pages: (tx) => asRows(batches(tx), (row) => ({ line: ScreeningBatchView.of(row) })) },
    { name: 'case-exports', pages: (tx) => asRows(exports(tx), (row) => ({ line: exportView(row) })) },
    { name: 'erasures', pages: (tx) => asRows(receipts(tx), (row) => ({ line: ErasureView.of(row) })) },
  ];
}

function shownBatches(tx: Tx, tenantId: string, page: ListedPage): Promise<ScreeningBatch[]> {
  const { where, ...rest } = newestPage(tenantId, page);
  return tx.manager.find(ScreeningBatch, { where: { ...where, status: Not('receiving' as const) }, ...rest });
}

/** Opens only cases that have a draft. */
async function* drafts(tx: Tx, keyring: TenantKeyring, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const pages = newestFirst(
    (page) => storedCases(tx, tenantId, page),
    ({ id }) => id,
  );
  for await (const rows of pages) {
    yield rows.flatMap((row) => {
      const draft = row.ros_draft && openCase(keyring, row).ros_draft;
      return draft === null ? [] : [{ line: draft }];
    });
  }
}

function journal(tx: Tx, tenantId: string, { beforeId, limit }: ListedPage): Promise<CaseJournal[]> {
  const before = beforeId === undefined ? {} : { seq: LessThan(Number(beforeId)) };
  const where = { tenant_id: tenantId, type: 'exported', ...before };
  return tx.manager.find(CaseJournal, { where, order: { seq: 'DESC' }, take: limit });
}
