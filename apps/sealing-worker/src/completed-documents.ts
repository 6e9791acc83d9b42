import { SENDER, type SignerValues, visibleFields } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import {
  type Additions,
  type CompletionFacts,
  completionCertificate,
  PdfPool,
  signedDrawings,
} from '@constancia/pdf-sealing';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { completedSigner } from './completed-signer.ts';
import { SealingConfig } from './config.ts';
import type { PublishedKey } from './published-key.ts';
import type { ClaimedEnvelope, SignerToSeal } from './envelope-rows.ts';

/** An envelope with all that its signers gave. */
export interface CompletedEnvelope {
  envelope: ClaimedEnvelope;
  signers: readonly SignerToSeal[];
  senderValues: SignerValues;
  /** Display name. */
  tenant: string;
}

type PaperSize = CompletionFacts['page'];

/** What a page without a readable size is taken for: US Letter, as viewers do. */
const LETTER: PaperSize = { width: 612, height: 792 };
const KNOWN_SIZES = 1_000;

/** What is drawn on the document of an envelope that all have signed: every field that was filled in, and the certificate behind. */
@Injectable()
export class CompletedDocuments {
  /** By the document's SHA-256, in hex: a circuit is sent again and again. */
  private readonly sizes = new LRUCache<string, PaperSize>({ max: KNOWN_SIZES });

  constructor(
    private readonly pdfs: PdfPool,
    private readonly config: SealingConfig,
  ) {}

  /** Throws PdfPoolBusy, and SealingFailure `internal`. */
  async additions(completed: CompletedEnvelope, base: Buffer, key: PublishedKey): Promise<Additions> {
    const { envelope, signers, senderValues } = completed;
    const page = await this.sizeOf(base, (envelope.base_sha256 as Buffer).toString('hex'));
    const values = Object.assign({}, senderValues, ...signers.map(({ field_values }) => field_values)) as SignerValues;
    const sent = { role: SENDER, values: senderValues };
    return {
      drawings: signedDrawings(signers, visibleFields(envelope.fields, values), envelope.locale, sent),
      pages: completionCertificate(this.factsOf(completed, page, key)),
    };
  }

  private factsOf(
    { envelope, signers, tenant }: CompletedEnvelope,
    page: PaperSize,
    key: PublishedKey,
  ): CompletionFacts {
    const { signUrl } = this.config;
    return {
      locale: envelope.locale,
      page,
      envelopeId: typeId('env', envelope.id),
      subject: envelope.subject ?? envelope.circuit_name,
      tenant,
      sentAt: envelope.created_at,
      document: { sha256: (envelope.base_sha256 as Buffer).toString('hex'), pages: envelope.page_count },
      signers: signers.map((signer) => completedSigner(signer, envelope.fields)),
      head: { seq: envelope.trail_seq, hash: envelope.trail_hash },
      verifyUrl: `${signUrl}/verify/${envelope.public_id}`,
      key: { fingerprint: key.fingerprint, url: `${signUrl}/keys/${key.fingerprint}.pem` },
    };
  }

  /** Of the first page, as a viewer shows it. */
  private async sizeOf(base: Buffer, sha256: string): Promise<PaperSize> {
    const known = this.sizes.get(sha256);
    if (known) return known;
    const size = (await this.pdfs.inspect(base, [])).firstPage ?? LETTER;
    this.sizes.set(sha256, size);
    return size;
  }
}
