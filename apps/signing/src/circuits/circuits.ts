import { contentEtag, pathUuid } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { Database, isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey, NotFound, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { Circuit, type CircuitStatus } from './circuit.entity.ts';
import { allowedCircuitActions, type CircuitAction, circuitTransition } from './circuit-states.ts';

/** Columns that a change of a draft may write. */
export type CircuitColumns = Partial<Omit<Circuit, 'id' | 'tenant_id' | 'code' | 'version' | 'created_at'>>;

type NewCircuit = Pick<Circuit, 'code' | 'name'> & Partial<Pick<Circuit, 'external_ref' | 'metadata'>>;

export interface CircuitFilter {
  code?: string;
  externalRef?: string;
  status?: CircuitStatus;
  before?: string;
  limit: number;
}

/** The circuits of every tenant: versions of a code, of which one at a time is published. */
@Injectable()
export class Circuits {
  constructor(private readonly database: Database) {}

  /** One circuit by its TypeID. Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<Circuit> {
    return this.database.tenant(tenantId, (tx) => circuitOf(tx, tenantId, id));
  }

  /** Newest first, before a UUID. */
  list(tenantId: string, filter: CircuitFilter): Promise<Circuit[]> {
    return this.database.tenant(tenantId, (tx) => listCircuits(tx, tenantId, filter));
  }

  /** The first version of a code, as a draft. Throws DuplicateKey when the tenant has the code. */
  async create(tenantId: string, { code, name, external_ref, metadata }: NewCircuit): Promise<Circuit> {
    try {
      return await this.database.tenant(tenantId, (tx) =>
        insertDraft(tx, { tenant_id: tenantId, code, name, external_ref, metadata, version: 1 }),
      );
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
    work: (circuit: Circuit, tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.database.tenant(tenantId, async (tx) => {
      const found = await circuitOf(tx, tenantId, id);
      await lockCode(tx, tenantId, found.code);
      const [circuit] = await tx.query<Circuit>('select * from signing.circuit where id = $1 for update', [found.id]);
      if (!circuit) throw new NotFound();
      refuseAction(circuit, action);
      return work(circuit, tx);
    });
  }
}

/** The ETag of what somebody works on while a circuit is a draft. */
export const circuitEtag = ({ signers, fields, document_access, attach_document, base_pdf_sha256 }: Circuit): string =>
  contentEtag({ signers, fields, document_access, attach_document, sha256: base_pdf_sha256?.toString('hex') ?? null });

/** Newest first, before a UUID. */
export function listCircuits(
  tx: Tx,
  tenantId: string,
  { code, externalRef, status, before, limit }: CircuitFilter,
): Promise<Circuit[]> {
  const where = {
    tenant_id: tenantId,
    ...(code && { code }),
    ...(externalRef && { external_ref: externalRef }),
    ...(status && { status }),
    ...(before && { id: LessThan(before) }),
  };
  return tx.manager.find(Circuit, { where, order: { id: 'DESC' }, take: limit });
}

/** Throws StateConflict when the circuit's state does not take the action. */
export function refuseAction({ status }: Circuit, action: CircuitAction): void {
  if (circuitTransition(status, action)) return;
  throw new StateConflict(
    `A circuit that is ${status} does not take ${action}: clone it, change the draft, publish it.`,
    { status_of_circuit: status, allowed_actions: allowedCircuitActions(status) },
  );
}

/** Writers of one code follow one another: version numbers and the published version stay unique. */
export async function lockCode(tx: Tx, tenantId: string, code: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`circuit:${tenantId}:${code}`]);
}

async function circuitOf(tx: Tx, tenantId: string, id: string): Promise<Circuit> {
  const circuit = await tx.manager.findOneBy(Circuit, { id: pathUuid('cir', id), tenant_id: tenantId });
  if (!circuit) throw new NotFound();
  return circuit;
}

async function insertDraft(
  tx: Tx,
  draft: Pick<Circuit, 'tenant_id' | 'code' | 'name' | 'version'> & CircuitColumns,
): Promise<Circuit> {
  const id = uuidv7();
  await tx.manager.insert(Circuit, { ...draft, id });
  return (await tx.manager.findOneBy(Circuit, { id })) as Circuit;
}

/** The next version of a circuit's code, as a draft with the circuit's PDF and definition. The code must be locked. */
export async function addClone(tx: Tx, circuit: Circuit): Promise<Circuit> {
  const { tenant_id, code, name, signers, fields, document_access, attach_document } = circuit;
  const { base_pdf_sha256, base_pdf_key, base_pdf_size, page_count, warnings, external_ref, metadata } = circuit;
  const basePdf = { base_pdf_sha256, base_pdf_key, base_pdf_size, page_count, warnings };
  const definition = { signers, fields, document_access, attach_document, external_ref, metadata };
  return addVersion(tx, { tenant_id, code, name, ...basePdf, ...definition });
}

/** The next version of a code, as a draft. The code must be locked. */
export async function addVersion(
  tx: Tx,
  draft: Pick<Circuit, 'tenant_id' | 'code' | 'name'> & CircuitColumns,
): Promise<Circuit> {
  const { tenant_id, code } = draft;
  const latest = (await tx.manager.maximum(Circuit, 'version', { tenant_id, code })) ?? 0;
  return insertDraft(tx, { ...draft, version: latest + 1 });
}

/** Writes columns of a circuit whose row is held; answers it as it is then. */
export async function updateCircuit(tx: Tx, circuit: Circuit, columns: CircuitColumns): Promise<Circuit> {
  await tx.manager.update(Circuit, { id: circuit.id }, columns);
  return { ...circuit, ...columns };
}

/** Publishes a draft and deprecates the version before it, in one transaction. The code must be locked. */
export async function publish(tx: Tx, circuit: Circuit): Promise<Circuit> {
  const { tenant_id, code } = circuit;
  await tx.manager.update(Circuit, { tenant_id, code, status: 'published' }, { status: 'deprecated' });
  return updateCircuit(tx, circuit, { status: 'published', published_at: new Date() });
}
