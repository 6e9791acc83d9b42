import { createHash, generateKeyPairSync, type KeyObject, privateEncrypt, constants } from 'node:crypto';
import type { PreparedSeal } from '../append/revision.ts';
import { selfIssuedCertificate } from './certificate.ts';
import type { Sealer } from './seal.ts';

/** A page with a signature field whose signature is still a hole, made by hand. `reference`: of the signature, for a certification. */
export function preparedSeal(signatureBytes: number, reference = ''): PreparedSeal {
  const hexLength = 2 * signatureBytes;
  const placeholder = '/ByteRange [0 0000000000 0000000000 0000000000]';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] /SigFlags 3 >>' +
      (reference && ' /Perms << /DocMDP 5 0 R >>') +
      ' >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << >> /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Sig /T (seal) /V 5 0 R /Rect [0 0 0 0] /F 132 /P 3 0 R >>',
    `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /M (D:20261121150000Z) ${reference} ${placeholder} /Contents <${'0'.repeat(hexLength)}> >>`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  const offset = text.indexOf('/Contents <') + '/Contents '.length;
  const after = offset + hexLength + 2;
  const digits = (value: number) => String(value).padStart(10, '0');
  text = text.replace(placeholder, `/ByteRange [0 ${digits(offset)} ${digits(after)} ${digits(text.length - after)}]`);
  const bytes = Buffer.from(text);
  return { bytes, byteRange: [0, offset, after, bytes.length - after], contents: { offset, hexLength } };
}

/** What KMS does with a digest: RSASSA-PKCS1-v1_5. */
function signDigest(key: KeyObject, digest: Buffer): Buffer {
  const info = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest]);
  return privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, info);
}

export interface TestKey {
  spkiDer: Buffer;
  publicKeyPem: string;
  fingerprint: string;
  privateKey: KeyObject;
  sign: (digest: Buffer) => Promise<Buffer>;
}

export function testKey(bits = 2048): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const spkiDer = publicKey.export({ type: 'spki', format: 'der' });
  return {
    spkiDer,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: createHash('sha256').update(spkiDer).digest('hex'),
    privateKey,
    sign: (digest) => Promise.resolve(signDigest(privateKey, digest)),
  };
}

export async function testSealer(key: TestKey, subject = 'CN=Sello de prueba, O=Constancia, C=CO'): Promise<Sealer> {
  const certificateDer = await selfIssuedCertificate({ subject, spkiDer: key.spkiDer, sign: key.sign });
  return { certificateDer, chainDer: [], sign: key.sign };
}
