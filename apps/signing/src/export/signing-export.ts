import { typeId } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { ArchiveKeys, ObjectStore } from '@constancia/storage';
import {
  asRows,
  type ExportedFile,
  type ExportedObject,
  type ExportedRow,
  type ExportSource,
  type ListedPage,
  newestFirst,
  newestPage,
  openStored,
} from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { In, Not } from 'typeorm';
import { CircuitView } from '../circuits/circuit-view.ts';
import { listCircuits } from '../circuits/circuits.ts';
import { SigningConfig } from '../config.ts';
import { EnvelopeBatchView } from '../envelope-batches/envelope-batch-view.ts';
import { EnvelopeBatch } from '../envelope-batches/envelope-batch.entity.ts';
import { EnvelopeEvent } from '../envelope-records/envelope-event.entity.ts';
import { type StoredEnvelope, type TenantSealing, tenantSealing } from '../envelope-records/envelope-secrets.ts';
import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';
import { trailEvent } from '../envelope-records/trail.ts';
import { EnvelopeView } from '../envelopes/envelope-view.ts';
import { listEnvelopes, storedEnvelopes } from '../envelopes/envelopes.ts';
import { DocumentRevision } from '../evidence/document-revision.entity.ts';
import { ErasureReceipt } from '../erasures/erasure-receipt.entity.ts';
import { ErasureView } from '../erasures/erasure-view.ts';
import type { Proof } from '../signatures/integrity.ts';
import { SignatureView } from '../signatures/signature-view.ts';
import { listSignatures } from '../signatures/signatures.ts';
import { SigningKeyView } from '../signing-keys/signing-key-view.ts';
import { SigningKeys } from '../signing-keys/signing-keys.ts';
import { shownSettings } from '../signing-settings/signing-settings.ts';
import { TemplateView } from '../templates/template-view.ts';
import { listTemplates } from '../templates/templates.ts';
import { TrailArchives } from '../trail-archive/trail-archives.ts';
import { archivedTrailFiles } from './archived-trails.ts';
import { proofLine } from './proof-line.ts';

/** Envelopes whose signers and trails are in memory at a time. */
const ENVELOPES = 50;

/** What this module exports: what its lists show, and the PDFs that can be downloaded. */
@Injectable()
export class SigningExport {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly tokens: SignTokens,
    private readonly keys: SigningKeys,
    private readonly archiveKeys: ArchiveKeys,
    private readonly trailArchives: TrailArchives,
    private readonly objects: ObjectStore,
    private readonly config: SigningConfig,
  ) {}

  async source(tenantId: string): Promise<ExportSource> {
    const sealing = await tenantSealing(this.personal, tenantId);
    return {
      module: 'signing',
      database: this.database,
      files: [...plainFiles(tenantId), ...this.envelopeFiles(sealing, tenantId), ...this.keyFiles(tenantId)],
      open: ({ key }) => openStored(this.objects, key),
    };
  }

  private envelopeFiles(sealing: TenantSealing, tenantId: string): ExportedFile[] {
    const envelopes = (tx: Tx) =>
      newestFirst(
        ({ beforeId: beyondId, limit }) => listEnvelopes(tx, sealing, tenantId, { beyondId, limit }),
        ({ envelope }) => envelope.id,
        ENVELOPES,
      );
    return [
      {
        name: 'envelopes',
        pages: (tx) =>
          asRows(envelopes(tx), (file) => ({
            line: EnvelopeView.ofFile(file, this.tokens),
            objects: pdf('documents', typeId('env', file.envelope.id), file.envelope.document_key),
          })),
      },
      { name: 'envelope-trails', pages: (tx) => trails(tx, tenantId) },
      ...archivedTrailFiles(tenantId, this.trailArchives, this.archiveKeys),
      { name: 'document-proofs', pages: (tx) => proofs(tx, tenantId) },
      { name: 'document-revisions', pages: (tx) => revisions(tx, tenantId) },
    ];
  }

  private keyFiles(tenantId: string): ExportedFile[] {
    const { keys, config } = this;
    async function* pages(): AsyncGenerator<ExportedRow[]> {
      yield (await keys.list(tenantId)).map((key) => ({ line: SigningKeyView.of(key, config.signingUrl) }));
    }
    return [
      { name: 'signing-keys', pages },
      { name: 'signing-settings', pages: (tx) => settings(tx, tenantId) },
    ];
  }
}

function plainFiles(tenantId: string): ExportedFile[] {
  return [
    {
      name: 'templates',
      pages: (tx) =>
        asRows(
          newestFirst(
            (page) => listTemplates(tx, tenantId, page),
            ({ id }) => id,
          ),
          (row) => ({ line: TemplateView.of(row), objects: pdf('templates', typeId('tpl', row.id), row.storage_key) }),
        ),
    },
    {
      name: 'circuits',
      pages: (tx) =>
        asRows(
          newestFirst(
            ({ beforeId: before, limit }) => listCircuits(tx, tenantId, { before, limit }),
            ({ id }) => id,
          ),
          (row) => ({ line: CircuitView.of(row), objects: pdf('circuits', typeId('cir', row.id), row.base_pdf_key) }),
        ),
    },
    {
      name: 'signatures',
      pages: (tx) =>
        asRows(
          newestFirst(
            (page) => listSignatures(tx, tenantId, page),
            ({ id }) => id,
          ),
          (row) => ({
            line: SignatureView.of(row),
            objects: pdf('documents', typeId('sig', row.id), row.document_key),
          }),
        ),
    },
    {
      name: 'envelope-batches',
      pages: (tx) =>
        asRows(
          newestFirst(
            (page) => shownBatches(tx, tenantId, page),
            ({ id }) => id,
          ),
          (row) => ({ line: EnvelopeBatchView.of(row) }),
        ),
    },
    {
      name: 'erasures',
      pages: (tx) =>
        asRows(
          newestFirst(
            (page) => tx.manager.find(ErasureReceipt, newestPage(tenantId, page)),
            ({ id }) => id,
          ),
          (receipt) => ({ line: ErasureView.of(receipt) }),
        ),
    },
  ];
}

/** As GET /v1/envelope-batches shows them. */
function shownBatches(tx: Tx, tenantId: string, page: ListedPage): Promise<EnvelopeBatch[]> {
  const { where, ...rest } = newestPage(tenantId, page);
  return tx.manager.find(EnvelopeBatch, { where: { ...where, status: Not('receiving' as const) }, ...rest });
}

/** The envelopes with their columns in the clear. */
function closedEnvelopes(tx: Tx, tenantId: string, status?: EnvelopeStatus): AsyncGenerator<StoredEnvelope[]> {
  return newestFirst(
    ({ beforeId: beyondId, limit }) => storedEnvelopes(tx, tenantId, { statuses: status && [status], beyondId, limit }),
    ({ id }) => id,
    ENVELOPES,
  );
}

/** The events of each envelope that the database has, oldest first. */
async function* trails(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  for await (const envelopes of closedEnvelopes(tx, tenantId)) {
    const events = await tx.manager.find(EnvelopeEvent, {
      where: { envelope_id: In(envelopes.map(({ id }) => id)) },
      order: { envelope_id: 'DESC', seq: 'ASC' },
    });
    yield events.map((event) => ({ line: { envelope_id: typeId('env', event.envelope_id), ...trailEvent(event) } }));
  }
}

/** The key of its own that the tenant set, with its chain; no line when it set none. */
async function* settings(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const line = await shownSettings(tx, tenantId);
  if (line.kms_key !== null) yield [{ line }];
}

/** What proves each sealed document without us. */
async function* proofs(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const rowOf = (id: string, proof: Proof) => ({ line: proofLine(id, proof) });
  const signed = newestFirst(
    (page) => listSignatures(tx, tenantId, { status: 'signed', ...page }),
    ({ id }) => id,
  );
  yield* asRows(signed, (row) => rowOf(typeId('sig', row.id), row));
  yield* asRows(closedEnvelopes(tx, tenantId, 'sealed'), (row) => rowOf(typeId('env', row.id), row));
}

/** The files that long-term evidence made of sealed documents, with what proves each. */
async function* revisions(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const signed = newestFirst(
    (page) => listSignatures(tx, tenantId, { status: 'signed', ...page }),
    ({ id }) => id,
  );
  for await (const rows of signed) yield await revisionsOf(tx, 'signature', rows);
  for await (const rows of closedEnvelopes(tx, tenantId, 'sealed')) yield await revisionsOf(tx, 'envelope', rows);
}

async function revisionsOf(
  tx: Tx,
  kind: DocumentRevision['kind'],
  documents: readonly { id: string; signed_at: Date | null }[],
): Promise<ExportedRow[]> {
  const signedAt = new Map(documents.map(({ id, signed_at }) => [id, signed_at]));
  const found = await tx.manager.find(DocumentRevision, {
    where: { kind, document_id: In([...signedAt.keys()]) },
    order: { document_id: 'DESC', number: 'ASC' },
  });
  return found.map((revision) => {
    const { document_id, number, level } = revision;
    const id = typeId(kind === 'signature' ? 'sig' : 'env', document_id);
    const proof = proofLine(id, { ...revision, signed_at: signedAt.get(document_id) ?? null });
    return { line: { ...proof, number, level }, objects: pdf('documents', `${id}-${number}`, revision.document_key) };
  });
}

/** The PDF of a row, when it has one. */
function pdf(folder: string, id: string, key: string | null): ExportedObject[] {
  return key === null ? [] : [{ path: `${folder}/${id}.pdf`, key }];
}
