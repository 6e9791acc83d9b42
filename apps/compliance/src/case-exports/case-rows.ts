import type { Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import { openCaseSecrets } from '../case-records/case-secrets.ts';
import type { Counted, CsvSource, ExportRequest } from './case-export.ts';
import { csvHeader, lineOf, lineSql, partsSql } from './export-csv.ts';

/** SQL: of a tenant ($1), opened in a period ($2, $3). */
export const OPENED = `tenant_id = $1 and ($2::timestamptz is null or opened_at >= $2) and ($3::timestamptz is null or opened_at < $3)`;

const cursor = (request: ExportRequest): string => `
  declare exported no scroll cursor for
  select case when sealed is null then ${lineSql(request)} end as line,
         case when sealed is not null then ${partsSql(request)} end as parts,
         id, subject_key_id, sealed, ros_reference is not null as ros,
         (select k.wrapped_key from compliance.subject_key k
           where k.tenant_id = c.tenant_id and k.id = c.subject_key_id) as wrapped_key
    from compliance.review_case c where ${OPENED} order by opened_at, id`;

interface ExportedCase {
  /** Of a case in the clear. */
  line: string | null;
  /** Of a sealed one. */
  parts: string[] | null;
  id: string;
  subject_key_id: string;
  sealed: Buffer;
  wrapped_key: Buffer;
  ros: boolean;
}

/** Cases opened in a period, with all that is known of them. */
export function exportedCases(request: ExportRequest): CsvSource<ExportedCase> {
  const params = [request.tenantId, request.from ?? null, request.to ?? null];
  return {
    header: csvHeader(request),
    async begin(tx) {
      const counted = await countOpened(tx, params);
      await tx.query(cursor(request), params);
      return counted;
    },
    line: (row, keyring) => lineText(row, keyring, request),
    isRos: ({ ros }) => ros,
  };
}

/** How many cases were opened in a period, and how many of them have a ROS draft. */
export async function countOpened(tx: Tx, params: readonly unknown[]): Promise<Counted> {
  const [counted] = await tx.query<Counted>(
    `select count(*) as rows, count(ros_reference) as ros from compliance.review_case where ${OPENED}`,
    [...params],
  );
  return counted ?? { rows: 0, ros: 0 };
}

function lineText(row: ExportedCase, keyring: TenantKeyring, form: ExportRequest): string {
  if (row.parts === null) return row.line ?? '';
  const key = keyring.subject(row.subject_key_id, row.wrapped_key);
  return lineOf(row.parts, openCaseSecrets(key, row.id, row.sealed), form);
}
