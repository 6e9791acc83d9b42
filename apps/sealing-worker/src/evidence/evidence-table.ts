import { Database } from '@constancia/persistence';
import type { Leased, LeaseStore } from '@constancia/queue';
import { Injectable } from '@nestjs/common';
import type { SealingConfig } from '../config.ts';
import type { Backlog, SealingKind } from '../sealing-work.ts';

/** A statement about revocation should be younger than the signature that it is about: authorities publish some once an hour. */
const FIRST_AFTER_SECONDS = 3_600;
export const EVIDENCE_LEASE_SECONDS = 60;

/** Whether documents that are sealed now get long-term evidence: only time-stamped ones can. */
export const isExtended = ({ tsaUrl, evidenceLevel }: Pick<SealingConfig, 'tsaUrl' | 'evidenceLevel'>) =>
  tsaUrl !== undefined && evidenceLevel !== 'B-T';

/** A sealed document whose evidence is due, with its newest file. */
export interface EvidenceWork extends Leased {
  kind: SealingKind;
  /** UUID. */
  id: string;
  tenant_id: string;
  level: 'B-LT' | 'B-LTA' | null;
  /** This one included. */
  attempts: number;
  /** Of the newest revision; 0: as it was sealed. */
  number: number;
  document_sha256: Buffer;
  document_key: string;
  document_size: number;
}

export interface ExtendedDocument {
  level: 'B-LT' | 'B-LTA';
  sha256: Buffer;
  key: string;
  size: number;
  kmsKeyArn: string;
  signature: Buffer;
  algorithm: string;
  /** null: never again. */
  renewAt: Date | null;
}

/** The long-term evidence of documents in Postgres, behind functions that are fenced by the lease. */
@Injectable()
export class EvidenceTable implements LeaseStore<EvidenceWork> {
  constructor(private readonly database: Database) {}

  /** Call it before the seal is written: after a crash between the two the evidence is still due. */
  async await({ kind, id, tenant_id }: Pick<EvidenceWork, 'kind' | 'id' | 'tenant_id'>): Promise<void> {
    const params = [kind, id, tenant_id, FIRST_AFTER_SECONDS];
    await this.database.prepared('await_evidence', 'select signing.await_evidence($1, $2, $3, $4)', params);
  }

  claim(limit: number): Promise<EvidenceWork[]> {
    const params = [limit, EVIDENCE_LEASE_SECONDS];
    return this.database.query<EvidenceWork>('select * from signing.claim_evidence($1, $2)', params);
  }

  extend(works: readonly EvidenceWork[]): Promise<unknown> {
    const tokens = works.map(({ lease_token }) => lease_token);
    return this.database.query('select signing.extend_evidence_leases($1, $2)', [tokens, EVIDENCE_LEASE_SECONDS]);
  }

  /** False: the lease was lost, and nothing is written. */
  complete({ kind, id, lease_token }: EvidenceWork, document: ExtendedDocument): Promise<boolean> {
    const { level, sha256, key, size, kmsKeyArn, signature, algorithm, renewAt } = document;
    return this.fenced('select signing.complete_evidence($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as ours', [
      ...[kind, id, lease_token, level, sha256, key, size, kmsKeyArn, signature, algorithm, renewAt],
    ]);
  }

  defer({ kind, id, lease_token }: EvidenceWork, delayMs: number, setback: string): Promise<boolean> {
    return this.fenced('select signing.defer_evidence($1, $2, $3, $4, $5) as ours', [
      ...[kind, id, lease_token, Math.ceil(delayMs), setback],
    ]);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.database.query<{ waiting: string; oldest_seconds: number }>(
      'select * from signing.evidence_backlog()',
    );
    return { waiting: Number(row?.waiting ?? 0), oldestSeconds: row?.oldest_seconds ?? 0 };
  }

  private async fenced(sql: string, params: unknown[]): Promise<boolean> {
    const [row] = await this.database.query<{ ours: boolean }>(sql, params);
    return row?.ours ?? false;
  }
}
