import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import { countOpened, OPENED } from '../case-exports/case-rows.ts';
import type { Counted, CsvSource, ExportRequest } from '../case-exports/case-export.ts';
import { csvHeader, csvLine } from '../case-exports/export-csv.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';
import { type DatedLists, type ListAges, type NamedVersions, oldestOf } from '../lists/dated-lists.ts';
import type { ScreeningOutcome } from '../screenings/assess.ts';
import {
  type ListedScreening,
  type MaybeSealed,
  openScreening,
  SEALED_RESULT,
} from '../screenings/sealed-screening.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

type ReportRequest = ExportRequest & { from: Date };
const params = ({ tenantId, from, to }: ExportRequest): unknown[] => [tenantId, from ?? null, to ?? null];

const LIST_COLUMNS = ['list_versions', 'oldest_list', 'oldest_list_days', 'stale_lists'] as const;
const CASE_COLUMNS = [
  ...['case_id', 'subject_ref', 'subject_type', 'opened_at', 'due_at', 'resolved_at', 'hours_to_resolve', 'status'],
  ...['decision', 'priority', 'overdue', 'rules_fired', 'list_hits', ...LIST_COLUMNS],
];
const SCREENING_COLUMNS = [
  ...['screening_id', 'screened_at', 'subject_ref', 'subject_type', 'trigger', 'validation_code', 'validation_version'],
  ...['outcome', 'score', 'list_hits', 'rules_fired', 'case_id', ...LIST_COLUMNS],
];

// prettier-ignore
type ReportedCase = Pick<
  ReviewCase,
  | 'id' | 'subject_ref' | 'subject_type' | 'opened_at' | 'due_at' | 'resolved_at' | 'status' | 'decision' | 'priority'
  | 'rules_fired' | 'list_hits' | 'ros_reference'
> & { list_versions: NamedVersions };

/** A source of rows that state how old the lists were. The dates of the lists are read when the file begins. */
function withAges<Row extends object>(
  { ages, request }: { ages: ListAges; request: ReportRequest },
  source: Omit<CsvSource<Row>, 'line' | 'begin'> & {
    count(tx: Tx): Promise<Counted>;
    cursor: string;
    line(row: Row, keyring: TenantKeyring, dated: DatedLists): string;
  },
): CsvSource<Row> {
  let dated: DatedLists | undefined;
  return {
    ...source,
    async begin(tx) {
      dated = await ages.since(tx, request.from);
      const counted = await source.count(tx);
      await tx.query(`declare exported no scroll cursor for ${source.cursor}`, params(request));
      return counted;
    },
    line: (row, keyring) => source.line(row, keyring, dated as DatedLists),
  };
}

/** Cases opened in a period, each with what a report counts of it. Nothing of them is sealed. */
export function reportedCases(request: ReportRequest, ages: ListAges): CsvSource<ReportedCase> {
  const now = new Date();
  return withAges<ReportedCase>(
    { ages, request },
    {
      header: csvHeader(request, CASE_COLUMNS),
      count: (tx) => countOpened(tx, params(request)),
      cursor: `select id, subject_ref, subject_type, opened_at, due_at, resolved_at, status, decision, priority, rules_fired,
          list_hits, list_versions, ros_reference from compliance.review_case where ${OPENED} order by opened_at, id`,
      isRos: ({ ros_reference }) => ros_reference !== null,
      line: (row, _, dated) => csvLine(caseCells(row, dated, now), request),
    },
  );
}

function caseCells(row: ReportedCase, dated: DatedLists, now: Date): (string | null)[] {
  const { opened_at: opened, due_at: due, resolved_at: resolved, status } = row;
  return [
    ...[typeId('cas', row.id), row.subject_ref, row.subject_type, opened.toISOString(), due.toISOString()],
    ...[resolved && resolved.toISOString(), resolved && ((resolved.getTime() - opened.getTime()) / HOUR_MS).toFixed(2)],
    ...[status, row.decision, row.priority, String(status !== 'resolved' && due <= now)],
    ...[row.rules_fired.join('|'), row.list_hits.join('|')],
    ...listCells(row.list_versions, resolved, dated),
  ];
}

type ReportedScreening = Omit<ListedScreening, 'list_versions'> & MaybeSealed & { list_versions: NamedVersions };

const MADE = `tenant_id = $1 and created_at >= $2 and created_at < $3 and erasure_id is null`;

/** Screenings made in a period. Their rules are in their results, which are opened one by one. */
export function reportedScreenings(request: ReportRequest, ages: ListAges): CsvSource<ReportedScreening> {
  return withAges<ReportedScreening>(
    { ages, request },
    {
      header: csvHeader(request, SCREENING_COLUMNS),
      async count(tx) {
        const [row] = await tx.query<{ rows: number }>(
          `select count(*) as rows from compliance.screening where ${MADE}`,
          params(request),
        );
        return { rows: row?.rows ?? 0, ros: 0 };
      },
      cursor: `select id, tenant_id, created_at, subject_ref, subject_type, trigger, validation_code, validation_version, decision, score,
          list_hits, list_versions, result, case_id, ${SEALED_RESULT} from compliance.screening c where ${MADE} order by created_at`,
      isRos: () => false,
      line: (row, keyring, dated) => csvLine(screeningCells(openScreening(keyring, row), dated), request),
    },
  );
}

function screeningCells(row: ReportedScreening, dated: DatedLists): (string | null)[] {
  const { findings } = JSON.parse(row.result) as ScreeningOutcome;
  const rules = [...new Set(findings.map(({ rule_code }) => rule_code))];
  return [
    ...[typeId('scr', row.id), row.created_at.toISOString(), row.subject_ref, row.subject_type, row.trigger],
    ...[row.validation_code, String(row.validation_version), row.decision, String(row.score)],
    ...[row.list_hits.join('|'), rules.join('|'), row.case_id && typeId('cas', row.case_id)],
    ...listCells(row.list_versions, row.created_at, dated),
  ];
}

/** The cells about lists; empty while nothing is decided. */
function listCells(versions: NamedVersions, decidedAt: Date | null, dated: DatedLists): (string | null)[] {
  const named = Object.entries(versions).map(([list, version]) => `${list}=${version}`);
  const lists = decidedAt === null ? [] : dated.at(versions, decidedAt);
  const oldest = oldestOf(lists);
  return [
    named.join('|'),
    oldest?.list ?? null,
    oldest ? (oldest.ageMs / DAY_MS).toFixed(1) : null,
    lists.flatMap(({ isStale, list }) => (isStale ? [list] : [])).join('|'),
  ];
}
