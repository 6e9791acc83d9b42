import { type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

const VALID_DAYS = 400;
/** Another machine's clock may be behind. */
const BACKDATED_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Tags of DER (X.690), and the object identifiers of what stands in the certificate, encoded. */
const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, utf8: 0x0c, time: 0x17, sequence: 0x30, set: 0x31 };
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
};
const TRUE = Buffer.of(0x01, 0x01, 0xff);
/** digitalSignature: the first of nine bits. */
const DIGITAL_SIGNATURE = Buffer.of(0x03, 0x02, 0x07, 0x80);

/**
 * An X.509 v3 certificate that a P-256 key issues to itself (RFC 5280): for signatures, no authority, named after a host, valid for 400 days
 * from an hour ago. Answers DER.
 */
export function selfIssuedCertificate(key: { privateKey: KeyObject; publicKey: KeyObject; host: string }): Buffer {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const name = sequence(der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, Buffer.from(key.host.slice(0, 64))))));
  const from = Date.now() - BACKDATED_MS;
  const body = sequence(
    explicit(0, der(TAG.integer, Buffer.of(2))), // v3
    der(TAG.integer, serialNumber()),
    algorithm,
    name,
    sequence(time(from), time(from + VALID_DAYS * DAY_MS)),
    name,
    key.publicKey.export({ format: 'der', type: 'spki' }),
    explicit(3, sequence(...extensionsOf(key.host))),
  );
  const signature = sign('sha256', body, { key: key.privateKey, dsaEncoding: 'der' });
  return sequence(body, algorithm, der(TAG.bits, Buffer.of(0), signature));
}

function extensionsOf(host: string): Buffer[] {
  const dnsName = sequence(der(0x82, Buffer.from(host, 'latin1')));
  return [
    extension(OID.basicConstraints, sequence(), TRUE),
    extension(OID.keyUsage, DIGITAL_SIGNATURE, TRUE),
    ...(isIP(host) === 0 ? [extension(OID.subjectAltName, dnsName)] : []),
  ];
}

const extension = (id: string, value: Buffer, ...critical: Buffer[]) =>
  sequence(oid(id), ...critical, der(TAG.octets, value));

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...head), content]);
}

const sequence = (...contents: Buffer[]): Buffer => der(TAG.sequence, ...contents);
const explicit = (nth: number, content: Buffer): Buffer => der(0xa0 + nth, content);
const oid = (hex: string): Buffer => der(TAG.oid, Buffer.from(hex, 'hex'));

/** UTCTime: to the second, and for years before 2050. */
function time(ms: number): Buffer {
  const [day, clock] = new Date(ms).toISOString().split('T') as [string, string];
  return der(TAG.time, Buffer.from(`${day.slice(2).replaceAll('-', '')}${clock.slice(0, 8).replaceAll(':', '')}Z`));
}

/** 16 random bytes, positive and without a leading zero. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40;
  return bytes;
}
