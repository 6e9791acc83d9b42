import { createHash } from 'node:crypto';
import { requireMatch } from '@constancia/http';
import { canonicalJson, uuidOf, uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey, NotFound } from '@constancia/problem-json';
import type { Rule } from '@constancia/rule-graph';
import type { RuleRow } from './rule.entity.ts';
import { NEW_REVISION } from './validations.ts';

/** More rules than this are refused in one validation. */
export const MOST_RULES = 500;

const COLUMNS = `id, tenant_id, validation_id, code, severity, score, subject_type, description, position, definition, created_at,
  updated_at`;

/** Every rule of a validation, by its UUID, in the order of evaluation. */
export function rulesOf(tx: Tx, tenantId: string, validationUuid: string): Promise<RuleRow[]> {
  return tx.query<RuleRow>(
    `select ${COLUMNS} from compliance.rule where tenant_id = $1 and validation_id = $2
      order by position, code collate "C" limit ${MOST_RULES}`,
    [tenantId, validationUuid],
  );
}

/** A page of them, after a position and code. */
export function ruleSlice(
  tx: Tx,
  tenantId: string,
  validationUuid: string,
  { after, limit }: { after?: [position: number, code: string]; limit: number },
): Promise<RuleRow[]> {
  return tx.query<RuleRow>(
    `select ${COLUMNS} from compliance.rule
      where tenant_id = $1 and validation_id = $2 and ($3::int is null or (position, code collate "C") > ($3, $4 collate "C"))
      order by position, code collate "C" limit $5`,
    [tenantId, validationUuid, after?.[0] ?? null, after?.[1] ?? null, limit],
  );
}

/** Adds rules to a locked draft; answers them. Throws DuplicateKey for a code that it has. */
export async function addRules(tx: Tx, tenantId: string, validationUuid: string, rules: Rule[]): Promise<RuleRow[]> {
  const rows = rules.map((rule) => ({ ...columnsOf(rule), id: uuidv7() }));
  try {
    const added = await tx.query<RuleRow>(
      `insert into compliance.rule (id, tenant_id, validation_id, code, severity, score, subject_type, description, position, definition)
       select r.id, $1, $2, r.code, r.severity, r.score, r.subject_type, r.description, r.position, r.definition
         from jsonb_populate_recordset(null::compliance.rule, $3) r
       returning ${COLUMNS}`,
      [tenantId, validationUuid, JSON.stringify(rows)],
    );
    await touch(tx, tenantId, validationUuid);
    return added;
  } catch (error) {
    throw isUniqueViolation(error, 'rule_code_key') ? codeTaken() : error;
  }
}

/** Replaces a rule of a locked draft, by its TypeID. Throws NotFound, and DuplicateKey for a code that another rule has. */
export async function replaceRule(
  tx: Tx,
  { tenantId, validationUuid, ruleId }: RuleAddress,
  rule: Rule,
): Promise<RuleRow> {
  const { code, severity, score, subject_type, description, position, definition } = columnsOf(rule);
  try {
    const [row] = await tx.query<RuleRow>(
      `update compliance.rule
          set code = $4, severity = $5, score = $6, subject_type = $7, description = $8, position = $9, definition = $10,
              updated_at = now()
        where tenant_id = $1 and validation_id = $2 and id = $3
       returning ${COLUMNS}`,
      [
        tenantId,
        validationUuid,
        uuidOf('rul', ruleId),
        code,
        severity,
        score,
        subject_type,
        description,
        position,
        JSON.stringify(definition),
      ],
    );
    if (!row) throw noRule();
    await touch(tx, tenantId, validationUuid);
    return row;
  } catch (error) {
    throw isUniqueViolation(error, 'rule_code_key') ? codeTaken() : error;
  }
}

/** Reads If-Match for a rule of a locked draft (requireMatch). */
export async function requireUnchanged(
  tx: Tx,
  { tenantId, validationUuid, ruleId }: RuleAddress,
  ifMatch: string | undefined,
  wanted?: Rule,
): Promise<void> {
  if (ifMatch === undefined) return;
  const [row] = await tx.query<RuleRow>(
    `select ${COLUMNS} from compliance.rule where tenant_id = $1 and validation_id = $2 and id = $3`,
    [tenantId, validationUuid, uuidOf('rul', ruleId)],
  );
  if (!row) throw noRule();
  requireMatch(ifMatch, ruleEtag(row), 'rule', wanted && ruleEtag(wanted));
}

/** The etag of a rule: the same for the same content. */
export const ruleEtag = (rule: Rule): string => `"${rulesHash([rule]).toString('hex').slice(0, 32)}"`;

/** Removes a rule of a locked draft, by its TypeID. Throws NotFound. */
export async function removeRule(tx: Tx, { tenantId, validationUuid, ruleId }: RuleAddress): Promise<void> {
  const removed = await tx.query(
    `delete from compliance.rule where tenant_id = $1 and validation_id = $2 and id = $3 returning 1`,
    [tenantId, validationUuid, uuidOf('rul', ruleId)],
  );
  if (removed.length === 0) throw noRule();
  await touch(tx, tenantId, validationUuid);
}

export interface RuleAddress {
  tenantId: string;
  validationUuid: string;
  /** TypeID. */
  ruleId: string;
}

/** SHA-256 of the rules as the engine sees them, in their order, as canonical JSON. */
export function rulesHash(rules: readonly Rule[]): Buffer {
  return createHash('sha256')
    .update(canonicalJson(rules.map(columnsOf)))
    .digest();
}

/** A rule as the engine takes it, of a row or of a body that lints. */
export function columnsOf(rule: Rule): Required<Rule> {
  const { code, severity, score, subject_type, description, position, definition } = rule;
  return { code, severity, score, subject_type, description: description ?? null, position: position ?? 0, definition };
}

/** Notes on a locked draft that its rules changed: a first approval was of the former ones. */
function touch(tx: Tx, tenantId: string, validationUuid: string): Promise<unknown> {
  return tx.query(
    `update compliance.validation set ${NEW_REVISION}, publication = null where tenant_id = $1 and id = $2`,
    [tenantId, validationUuid],
  );
}

const noRule = () => new NotFound('No such rule.');
const codeTaken = () =>
  new DuplicateKey('The validation has a rule with this code: choose another, or replace that rule.');
