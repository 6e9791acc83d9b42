import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Certificate } from 'pkijs';
import { SealingFailure } from '../sealing-failure.ts';
import { derOf, ownBytes } from './der.ts';
import type { SealingIdentity } from './sealing-identity.ts';
import { signedAttributes } from './signed-attributes.ts';
import { signedDataDer } from './signed-data.ts';

const SHA256_BYTES = 32;

/** DER with places of fixed lengths that are filled in again for each document. */
class Form {
  private readonly places: number[];

  /** @param marks random values that stand where the places are */
  constructor(
    private readonly der: Buffer,
    marks: Buffer[],
  ) {
    this.places = marks.map((mark) => der.indexOf(mark));
    if (this.places.includes(-1)) throw new Error('a form without its place');
  }

  with(...values: Buffer[]): Buffer {
    const filled = Buffer.from(this.der);
    values.forEach((value, index) => value.copy(filled, this.places[index]));
    return filled;
  }
}

/**
 * What all signatures of one identity have in common, encoded once: of a B-B signature only the digest and the signature value
 * change from document to document. Encoding it again each time takes longer than both signatures.
 */
export class SignatureForms {
  private static readonly known = new LRUCache<string, SignatureForms>({ max: 16 });
  private readonly certificates: [Certificate, ...Certificate[]];
  private readonly named: readonly Buffer[];
  private readonly attributesForm: Form;
  private readonly signedDataForms = new Map<number, Form>();

  private constructor(identity: SealingIdentity) {
    this.certificates = [certificateOf(identity.certificateDer), ...identity.chainDer.map(certificateOf)];
    this.named = [identity.certificateDer, ...identity.chainDer];
    const mark = randomBytes(SHA256_BYTES);
    this.attributesForm = new Form(signedAttributes(mark, this.named).der, [mark]);
  }

  static of(identity: SealingIdentity): SignatureForms {
    const name = [identity.certificateDer, ...identity.chainDer].map((der) => der.toString('latin1')).join();
    const known = this.known.get(name);
    if (known) return known;
    const made = new SignatureForms(identity);
    this.known.set(name, made);
    return made;
  }

  /** The signed attributes of a document (DER SET OF): what the signature value is computed over. */
  attributes(documentDigest: Buffer): Buffer {
    return this.attributesForm.with(documentDigest);
  }

  /** The CMS, DER. */
  signedData(documentDigest: Buffer, signature: Buffer, timestampToken?: Buffer): Buffer {
    if (timestampToken) return this.encoded(documentDigest, signature, timestampToken);
    return this.signedDataForm(signature.length).with(documentDigest, signature);
  }

  private signedDataForm(signatureLength: number): Form {
    const known = this.signedDataForms.get(signatureLength);
    if (known) return known;
    const marks: [Buffer, Buffer] = [randomBytes(SHA256_BYTES), randomBytes(signatureLength)];
    const made = new Form(this.encoded(...marks), marks);
    this.signedDataForms.set(signatureLength, made);
    return made;
  }

  private encoded(documentDigest: Buffer, signature: Buffer, timestampToken?: Buffer): Buffer {
    const { attributes } = signedAttributes(documentDigest, this.named);
    return signedDataDer({ certificates: this.certificates, attributes, signature, timestampToken });
  }
}

function certificateOf(der: Buffer): Certificate {
  const certificate = Certificate.fromBER(ownBytes(der));
  // What is written must be what signing-certificate-v2 names.
  if (!derOf(certificate.toSchema()).equals(der))
    throw new SealingFailure('internal', 'The certificate is not encoded in DER.');
  return certificate;
}
