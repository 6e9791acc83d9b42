import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { SENDER, visibleFields } from '@constancia/contracts';
import { PdfPool, type PlacedDrawing, signedDrawings, type SignedSigner } from '@constancia/pdf-sealing';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { InternalError } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import type { CircuitField } from '../circuits/circuit.entity.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import { ENVELOPE_KEY, type StoredEnvelope } from '../envelope-records/envelope-secrets.ts';
import { openSigner, SIGNER_KEY, type Stored } from '../envelope-records/signer-secrets.ts';
import { openSenderValues } from '../envelope-records/sealed-values.ts';
import { readersUnavailable } from '../pdf-reading.ts';
import { PdfStore } from '../pdf-store.ts';
import type { FieldValues } from '../signer-requests/field-values.ts';
import type { FoundSigner, SignerFacts } from '../signer-requests/found-signer.ts';

/** A document as it stands: its digest, and its bytes when they are asked for. */
export interface CurrentDocument {
  sha256: Buffer;
  open(): Promise<{ body: Readable; size: number }>;
}

type SignedRow = SignedSigner & Pick<SignerRow, 'id' | 'key'>;

interface Snapshot {
  envelope: Pick<EnvelopeRow, 'status' | 'locale' | 'document_sha256' | 'document_key'>;
  fields: CircuitField[];
  signed: SignedRow[];
  senderValues: FieldValues;
}

/** Every reader understands one of them. */
const NOT_FINAL = [
  'COPIA, NO ES EL DOCUMENTO FINAL: faltan firmas o el sello',
  'COPY, NOT THE FINAL DOCUMENT: signatures or the seal are missing',
];

const KEPT_BYTES = 64 * 1024 * 1024;
const SIGNED = `select s.id, s.role, s.name, s.email, s.signature_type, s.signature_text, s.signature_image, s.field_values,
    s.signed_at, s.sealed_person, s.sealed_values, s.sealed_mark, ${SIGNER_KEY}
  from signing.envelope_signer s
 where s.tenant_id = $1 and s.envelope_id = $2 and s.status = 'signed' order by s.ord, s.role`;
const ENVELOPE = `select e.status, e.locale, e.document_sha256, e.document_key, c.fields, e.sealed_values, ${ENVELOPE_KEY}
  from signing.envelope e join signing.circuit c on c.id = e.circuit_id where e.tenant_id = $1 and e.id = $2`;

/**
 * The document of an envelope as it stands: what was sent, with the fields of the sender and of those who have signed drawn on it; once sealed, the sealed
 * file. The same signatures make the same bytes, in every process.
 */
@Injectable()
export class CurrentDocuments {
  private readonly drawn = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });

  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly store: PdfStore,
    private readonly pdfs: PdfPool,
  ) {}

  async of({ tenantId, facts }: FoundSigner): Promise<CurrentDocument> {
    const keyring = await this.personal.tenant(tenantId);
    const snapshot = await this.database.snapshot(tenantId, (tx) => read(tx, keyring, facts));
    const { envelope, signed } = snapshot;
    if (envelope.status === 'sealed') return this.stored(envelope.document_key, envelope.document_sha256);
    const drawings = drawingsOf(snapshot);
    if (drawings.length === 0) return this.stored(facts.base_pdf_key, facts.base_pdf_sha256);
    const key = `${facts.envelope_id} ${signed.map(({ id }) => id).join()}`;
    const bytes = this.drawn.get(key) ?? (await this.draw(facts, drawings));
    this.drawn.set(key, bytes);
    const sha256 = createHash('sha256').update(bytes).digest();
    return { sha256, open: () => Promise.resolve({ body: Readable.from([bytes]), size: bytes.length }) };
  }

  /** The same, marked as not final on each page; null once it is sealed. */
  async copyOf({ tenantId, facts }: FoundSigner): Promise<Buffer | null> {
    const keyring = await this.personal.tenant(tenantId);
    const snapshot = await this.database.snapshot(tenantId, (tx) => read(tx, keyring, facts));
    if (snapshot.envelope.status === 'sealed') return null;
    return this.draw(facts, drawingsOf(snapshot), NOT_FINAL);
  }

  private stored(key: string | null, sha256: Buffer | null): CurrentDocument {
    if (key === null || sha256 === null) throw new InternalError(new Error('a sealed envelope has no document'));
    return { sha256, open: () => this.store.stream(key) };
  }

  private async draw(facts: SignerFacts, drawings: PlacedDrawing[], banner?: readonly string[]): Promise<Buffer> {
    const base = await this.store.get(facts.base_pdf_key);
    try {
      return await this.pdfs.draw(base, { drawings, banner }, facts.base_pdf_sha256.toString('hex'));
    } catch (error) {
      throw readersUnavailable(error); // the dry run drew each of these
    }
  }
}

function drawingsOf({ envelope, fields, signed, senderValues }: Snapshot): PlacedDrawing[] {
  const values = Object.assign({}, senderValues, ...signed.map(({ field_values }) => field_values)) as FieldValues;
  const sent = { role: SENDER, values: senderValues };
  return signedDrawings(signed, visibleFields(fields, values), envelope.locale, sent);
}

/** One state of the store: what was given is erased the moment that the envelope is sealed. */
async function read(tx: Tx, keyring: TenantKeyring, { tenant_id, envelope_id }: SignerFacts): Promise<Snapshot> {
  type Row = Snapshot['envelope'] & Pick<Snapshot, 'fields'> & Pick<StoredEnvelope, 'sealed_values' | 'envelope_key'>;
  const [row] = await tx.query<Row>(ENVELOPE, [tenant_id, envelope_id]);
  const stored = await tx.query<Stored<SignedRow>>(SIGNED, [tenant_id, envelope_id]);
  const signed = stored.map((signer) => openSigner<SignedRow>(keyring, signer));
  const { fields, sealed_values, envelope_key, ...envelope } = row as Row;
  const senderValues =
    sealed_values && envelope_key
      ? openSenderValues(keyring.subject(envelope_id, envelope_key), envelope_id, sealed_values)
      : {};
  return { envelope, fields, signed, senderValues };
}
