import { uuidOf, uuidv7 } from '@constancia/kernel';
import { Database, isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey, NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { CircuitRow, CircuitStatus } from './circuit-rows.ts';
import { allowedCircuitActions, type CircuitAction, circuitTransition } from './circuit-states.ts';

const COLUMNS = `id, tenant_id, code, name, version, status, base_pdf_sha256, base_pdf_key, base_pdf_size, page_count, warnings,
  signers, fields, document_access, created_at, published_at`;

const JSON_COLUMNS = new Set(['warnings', 'signers', 'fields']);

/** Columns that a change of a draft may write. */
export type CircuitColumns = Partial<Omit<CircuitRow, 'id' | 'tenant_id' | 'code' | 'version' | 'created_at'>>;

export interface CircuitFilter {
  code?: string;
  status?: CircuitStatus;
  before?: string;
  limit: number;
}

/** The circuits of every tenant: versions of a code, of which one at a time is published. */
@Injectable()
export class Circuits {
  constructor(private readonly database: Database) {}

  /** One circuit by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<CircuitRow> {
    return this.database.tenant(tenantId, (tx) => circuitOf(tx, tenantId, id));
  }

  /** Newest first, before a UUID. */
  list(tenantId: string, { code, status, before, limit }: CircuitFilter): Promise<CircuitRow[]> {
    return this.database.tenant(tenantId, (tx) =>
      tx.query<CircuitRow>(
        `select ${COLUMNS} from signing.circuit
          where tenant_id = $1 and ($2::text is null or code = $2) and ($3::text is null or status = $3)
            and ($4::uuid is null or id < $4)
          order by id desc limit $5`,
        [tenantId, code ?? null, status ?? null, before ?? null, limit],
      ),
    );
  }

  /** The first version of a code, as a draft. Throws DuplicateKey when the tenant has the code. */
  async create(tenantId: string, { code, name }: { code: string; name: string }): Promise<CircuitRow> {
    try {
      return await this.database.tenant(tenantId, (tx) => insertDraft(tx, tenantId, { code, name, version: 1 }));
    } catch (error) {
      if (!isUniqueViolation(error, 'circuit_code_version_key')) throw error;
      throw new DuplicateKey(`A circuit with the code ${code} exists: clone it for its next version.`);
    }
  }

  /** Does something with a circuit whose row is locked, when its state allows it (else StateConflict with allowed_actions). */
  change<T>(
    tenantId: string,
    id: string,
    action: CircuitAction,
    work: (circuit: CircuitRow, tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.database.tenant(tenantId, async (tx) => {
      const { code } = await circuitOf(tx, tenantId, id);
      await lockCode(tx, tenantId, code);
      const circuit = await circuitOf(tx, tenantId, id, 'for update');
      refuseAction(circuit, action);
      return work(circuit, tx);
    });
  }
}

/** Throws StateConflict when the circuit's state does not take the action. */
export function refuseAction({ status }: CircuitRow, action: CircuitAction): void {
  if (circuitTransition(status, action)) return;
  throw new StateConflict(
    `A circuit that is ${status} does not take ${action}: clone it, change the draft, publish it.`,
    { status_of_circuit: status, allowed_actions: allowedCircuitActions(status) },
  );
}

/** Writers of one code follow one another: version numbers and the published version stay unique. */
async function lockCode(tx: Tx, tenantId: string, code: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`circuit:${tenantId}:${code}`]);
}

async function circuitOf(tx: Tx, tenantId: string, id: string, lock = ''): Promise<CircuitRow> {
  const uuid = uuidOf('cir', id);
  if (uuid === null) throw new NotFound();
  const [row] = await tx.query<CircuitRow>(
    `select ${COLUMNS} from signing.circuit where tenant_id = $1 and id = $2 ${lock}`,
    [tenantId, uuid],
  );
  if (!row) throw new NotFound();
  return row;
}

async function insertDraft(
  tx: Tx,
  tenantId: string,
  { code, name, version }: { code: string; name: string; version: number },
): Promise<CircuitRow> {
  const [row] = await tx.query<CircuitRow>(
    `insert into signing.circuit (id, tenant_id, code, name, version) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
    [uuidv7(), tenantId, code, name, version],
  );
  return row as CircuitRow;
}

/** The next version of a circuit's code, as a draft with all that the circuit has. The code must be locked. */
export async function addClone(tx: Tx, circuit: CircuitRow): Promise<CircuitRow> {
  const [latest] = await tx.query<{ version: number }>(
    'select max(version) as version from signing.circuit where tenant_id = $1 and code = $2',
    [circuit.tenant_id, circuit.code],
  );
  const version = (latest?.version ?? 0) + 1;
  const draft = await insertDraft(tx, circuit.tenant_id, { code: circuit.code, name: circuit.name, version });
  const { base_pdf_sha256, base_pdf_key, base_pdf_size, page_count, warnings, signers, fields, document_access } =
    circuit;
  const copied = {
    base_pdf_sha256,
    base_pdf_key,
    base_pdf_size,
    page_count,
    warnings,
    signers,
    fields,
    document_access,
  };
  return updateCircuit(tx, draft, copied);
}

/** Writes columns of a circuit whose row is held; answers it as it is then. */
export async function updateCircuit(tx: Tx, circuit: CircuitRow, columns: CircuitColumns): Promise<CircuitRow> {
  const entries = Object.entries(columns) as [string, unknown][];
  const set = entries.map(([name], at) => `${name} = $${at + 2}`).join(', ');
  const values = entries.map(([name, value]) => (JSON_COLUMNS.has(name) ? JSON.stringify(value) : value));
  await tx.query(`update signing.circuit set ${set} where id = $1`, [circuit.id, ...values]);
  return { ...circuit, ...columns };
}

/** Publishes a draft and deprecates the version before it, in one transaction. The code must be locked. */
export async function publish(tx: Tx, circuit: CircuitRow): Promise<CircuitRow> {
  await tx.query(
    `update signing.circuit set status = 'deprecated' where tenant_id = $1 and code = $2 and status = 'published'`,
    [circuit.tenant_id, circuit.code],
  );
  return updateCircuit(tx, circuit, { status: 'published', published_at: new Date() });
}
