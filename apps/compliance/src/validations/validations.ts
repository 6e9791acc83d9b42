import { uuidOf, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { NotFound, ValidationNotDraft } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { ValidationStatus } from './validation.entity.ts';
import type { ValidationRow } from './validation-view.ts';

/** The first page of a list, or the one after a cursor. */
export interface ValidationFilter {
  status?: ValidationStatus;
  code?: string;
  awaitsSecondPerson?: boolean | undefined;
  beforeId?: string;
  limit: number;
}

/** What a validation is made with. */
export interface NewValidation {
  code: string;
  name: string;
  description: string | null;
}

const COLUMNS = `v.id, v.tenant_id, v.code, v.name, v.description, v.status, v.version, v.rules_hash, v.publication, v.created_at, v.updated_at,
  v.published_at, v.deprecated_at, (extract(epoch from v.updated_at) * 1000000)::bigint::text as revision,
  (select count(*)::int from compliance.rule r where r.validation_id = v.id) as rules`;

/** Sets `updated_at` of a locked validation later than before, however fast changes follow each other: its etag comes of it. */
export const NEW_REVISION = `updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')`;

const NO_VALIDATION = 'No such validation.';

/** The validations of every tenant. */
@Injectable()
export class Validations {
  constructor(private readonly database: Database) {}

  /** One validation by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<ValidationRow> {
    return this.database.tenant(tenantId, (tx) => findValidation(tx, tenantId, id));
  }

  /** Newest first. */
  list(tenantId: string, filter: ValidationFilter): Promise<ValidationRow[]> {
    return this.database.tenant(tenantId, (tx) => listValidations(tx, tenantId, filter));
  }
}

/** Newest first. */
export function listValidations(
  tx: Tx,
  tenantId: string,
  { status, code, awaitsSecondPerson, beforeId, limit }: ValidationFilter,
): Promise<ValidationRow[]> {
  return tx.query<ValidationRow>(
    `select ${COLUMNS} from compliance.validation v
      where v.tenant_id = $1 and ($2::text is null or v.status = $2) and ($3::text is null or v.code = $3)
        and ($4::uuid is null or v.id < $4) and ($6::boolean is null or (v.publication is not null) = $6)
      order by v.id desc limit $5`,
    [tenantId, status ?? null, code ?? null, beforeId ?? null, limit, awaitsSecondPerson ?? null],
  );
}

/** One validation of the transaction's tenant, by its TypeID. Throws NotFound. */
export async function findValidation(tx: Tx, tenantId: string, id: string): Promise<ValidationRow> {
  const uuid = uuidOf('val', id);
  const row = uuid === null ? undefined : await validationByUuid(tx, tenantId, uuid);
  if (!row) throw new NotFound(NO_VALIDATION);
  return row;
}

/**
 * The same, locked until the transaction ends: anyone who changes a draft or its rules, or publishes it, waits for the
 * other. Throws NotFound, and ValidationNotDraft.
 */
export async function lockDraft(tx: Tx, tenantId: string, id: string): Promise<ValidationRow> {
  const row = await lockValidation(tx, tenantId, id);
  if (row.status !== 'draft') throw new ValidationNotDraft();
  return row;
}

/** The same, whatever its status. */
export async function lockValidation(tx: Tx, tenantId: string, id: string): Promise<ValidationRow> {
  const uuid = uuidOf('val', id);
  if (uuid === null) throw new NotFound(NO_VALIDATION);
  // The lock in a statement of its own: what is read after it is what the last holder left.
  await tx.query(`select 1 from compliance.validation where tenant_id = $1 and id = $2 for update`, [tenantId, uuid]);
  return findValidation(tx, tenantId, id);
}

/** One who numbers the versions of a code, or publishes one of them, at a time. Taken before any row of theirs is locked. */
export async function lockCode(tx: Tx, tenantId: string, code: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 1763700000120))`, [`${tenantId} ${code}`]);
}

/** Adds a draft with the next version of its code. The transaction must hold the lock of the code. */
export async function addDraft(tx: Tx, tenantId: string, made: NewValidation): Promise<ValidationRow> {
  const id = uuidv7();
  await tx.query(
    `insert into compliance.validation (id, tenant_id, code, name, description, version)
     select $1, $2, $3, $4, $5, coalesce(max(version), 0) + 1 from compliance.validation where tenant_id = $2 and code = $3`,
    [id, tenantId, made.code, made.name, made.description],
  );
  return (await validationByUuid(tx, tenantId, id)) as ValidationRow;
}

export async function validationByUuid(tx: Tx, tenantId: string, uuid: string): Promise<ValidationRow | undefined> {
  const [row] = await tx.query<ValidationRow>(
    `select ${COLUMNS} from compliance.validation v where v.tenant_id = $1 and v.id = $2`,
    [tenantId, uuid],
  );
  return row;
}
