import { uuidv7 } from '@constancia/kernel';
import type { TestDatabase } from '@constancia/testing';

/** A version of a list that is not fictional, with the moments at which its file was imported; as years of operation leave it. */
export async function knownVersion(
  store: TestDatabase,
  list: string,
  version: string,
  checks: readonly string[],
): Promise<void> {
  const [first, ...later] = checks;
  const id = uuidv7();
  await store.query(
    `insert into compliance.list_version (id, list, version, status, source_format, sha256, files, parser_version, matcher_version, entries,
         names, aliases, kinds, added, changed, removed, warnings, imported_at, checked_at, operator, forced, fictional)
     values ($1, $2, $3, 'superseded', 'csv', '\\x00', '[]', '1', '1', 1, 1, 0, '{}', 1, 0, 0, '[]', $4, $4, 'test', false, false)`,
    [id, list, version, first],
  );
  for (const at of later)
    await store.query(`update compliance.list_version set checked_at = $2 where id = $1`, [id, at]);
}

interface StoredScreening {
  at: string;
  subjectRef?: string;
  decision?: 'approve' | 'review' | 'reject';
  subjectType?: 'natural' | 'legal';
  rules?: string[];
  lists?: string[];
  versions?: Record<string, string>;
}

/** A screening as an early release stored it: in the clear. */
export async function storedScreening(store: TestDatabase, tenantId: string, facts: StoredScreening): Promise<void> {
  const {
    at,
    subjectRef = 'customer-1',
    decision = 'approve',
    subjectType = 'natural',
    rules = [],
    lists = [],
  } = facts;
  const result = { decision, findings: rules.map((rule_code) => ({ rule_code })) };
  await store.query(
    `insert into compliance.screening (id, tenant_id, validation_id, validation_code, validation_version, rules_hash, subject_ref, subject_type,
         decision, score, list_hits, facts, result, list_versions, matcher_version, evaluator_version, credits_debited, created_at)
     values ($1, $2, $1, 'default', 1, '\\x00', $3, $4, $5, 7, $6, '{}', $7, $8, '1', 1, 8, $9)`,
    [uuidv7(), tenantId, subjectRef, subjectType, decision, lists, JSON.stringify(result), facts.versions ?? {}, at],
  );
}
