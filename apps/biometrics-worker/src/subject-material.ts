import { SUBJECT_RECORD_CONTEXT, type SealedSubjectRecord, subjectKeyContext } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { openRecord, sealRecord } from '@constancia/kernel';
import { ObjectStore, openObject, sealedObjectKey } from '@constancia/storage';
import { Injectable } from '@nestjs/common';
import { SubjectKeys } from './subject-keys.ts';
import { CannotWork } from './failure.ts';

/** Whose material it is. Ids are UUIDs. */
export interface SubjectOf {
  tenant_id: string;
  subject_id: string;
}

/** What a subject's data key opens and closes, for as long as one run takes. */
export interface OpenedSubject {
  documentNumber: string;
  /** Pictures by asset id, decrypted. Throws CannotWork picture_missing, and StorageUnavailable. */
  pictures(assetIds: readonly string[]): Promise<Buffer[]>;
  seal(context: string, text: string): Buffer;
}

/** Pictures and records of subjects: fetched, and opened with the subject's data key. */
@Injectable()
export class SubjectMaterial {
  constructor(
    private readonly database: Database,
    private readonly objects: ObjectStore,
    private readonly keys: SubjectKeys,
  ) {}

  /** Throws CannotWork subject_erased, and KmsUnavailable. */
  async open(of: SubjectOf): Promise<OpenedSubject> {
    const owner = { tenantId: of.tenant_id, subjectId: of.subject_id };
    const [row] = await this.database.query<{ wrapped_key: Buffer; sealed: Buffer | null }>(
      'select * from identity.subject_record($1, $2)',
      [of.tenant_id, of.subject_id],
    );
    if (!row?.sealed) throw new CannotWork('subject_erased');
    const context = subjectKeyContext(of.tenant_id, of.subject_id);
    const key = await this.keys.unwrap(of.subject_id, row.wrapped_key, context);
    const record = JSON.parse(openRecord(key, owner, SUBJECT_RECORD_CONTEXT, row.sealed)) as SealedSubjectRecord;
    return {
      documentNumber: record.document_number,
      pictures: (assetIds) => this.pictures(of, key, assetIds),
      seal: (name, text) => sealRecord(key, owner, name, text),
    };
  }

  private async pictures(of: SubjectOf, key: Buffer, assetIds: readonly string[]): Promise<Buffer[]> {
    const stored = await this.database.query<{ id: string; version: number }>(
      'select id, version from identity.asset_facts($1, $2, $3)',
      [of.tenant_id, of.subject_id, assetIds],
    );
    const versions = new Map(stored.map(({ id, version }) => [id, version]));
    return Promise.all(
      assetIds.map(async (assetId) => {
        const version = versions.get(assetId);
        if (version === undefined) throw new CannotWork('picture_missing');
        const name = { tenantId: of.tenant_id, subjectId: of.subject_id, assetId, version };
        return openObject(key, await this.objects.get(sealedObjectKey(name)), name);
      }),
    );
  }
}
