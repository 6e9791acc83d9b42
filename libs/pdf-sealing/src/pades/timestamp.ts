import { randomBytes, timingSafeEqual } from 'node:crypto';
import * as asn1js from 'asn1js';
import { MessageImprint, type SignedData, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs';
import { contentOf, derOf, octets, ownBytes, sha256Algorithm } from './der.ts';
import { DIGESTS, OID } from './oids.ts';
import { parsedSignedData, signerOf } from './signer-info.ts';

/** PKIStatus (RFC 3161, section 2.4.2): 0 granted, 1 granted with modifications. */
const GRANTED: readonly number[] = [0, 1];

export interface TimestampRequest {
  /** DER of the TimeStampReq, to be sent as application/timestamp-query. */
  der: Buffer;
  nonce: Buffer;
}

/** The authority's answer cannot be used: a refusal, or a token over something else. */
export class TimestampRefused extends Error {
  constructor(detail: string) {
    super(`the time-stamping authority gave no token (${detail})`);
    this.name = 'TimestampRefused';
  }
}

/** Asks for a token over a SHA-256 digest, with the authority's certificate in it. */
export function timestampRequest(digest: Buffer): TimestampRequest {
  const nonce = randomBytes(8);
  nonce[0] = ((nonce[0] as number) & 0x7f) | 0x40; // a positive INTEGER of exactly 8 bytes
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({ hashAlgorithm: sha256Algorithm(), hashedMessage: octets(digest) }),
    nonce: new asn1js.Integer({ valueHex: ownBytes(nonce) }),
    certReq: true,
  });
  return { der: derOf(request.toSchema()), nonce };
}

/**
 * The token in an authority's answer (application/timestamp-reply): granted, over this digest, with this nonce, and its signature
 * holds under the certificate in it. Answers the DER of its ContentInfo. Throws TimestampRefused.
 */
export function timestampToken(response: Buffer, digest: Buffer, { nonce }: TimestampRequest): Buffer {
  const answer = attempt('no TimeStampResp', () => TimeStampResp.fromBER(ownBytes(response)));
  const { status, statusStrings } = answer.status;
  if (!GRANTED.includes(status)) {
    const words = (statusStrings ?? []).map((one) => one.valueBlock.value).join(' ');
    throw new TimestampRefused(`status ${status}${words && `: ${words}`}`);
  }
  if (!answer.timeStampToken) throw new TimestampRefused('no token in the answer');
  const token = derOf(answer.timeStampToken.toSchema());
  const info = attempt('a token that cannot be read', () => timestampInfo(token));
  if (!info.nonce || !contentOf(info.nonce).equals(nonce)) throw new TimestampRefused('another nonce');
  if (!isImprintOf(info, digest)) throw new TimestampRefused('a token over another digest');
  if (!timestampHolds(token, digest)) throw new TimestampRefused('the signature of the token does not hold');
  return token;
}

/** Whether a token is over this SHA-256 digest and its own signature holds. Never throws. */
export function timestampHolds(token: Buffer, digest: Buffer): boolean {
  try {
    const signedData = parsedSignedData(token);
    const content = signedContent(signedData);
    const signer = signerOf(signedData, OID.tstInfo);
    return isImprintOf(timestampInfo(token), digest) && signer.holdsOver(content);
  } catch {
    return false;
  }
}

function isImprintOf({ messageImprint }: TSTInfo, digest: Buffer): boolean {
  const imprint = contentOf(messageImprint.hashedMessage);
  return (
    DIGESTS[messageImprint.hashAlgorithm.algorithmId] === 'sha256' &&
    imprint.length === digest.length &&
    timingSafeEqual(imprint, digest)
  );
}

function timestampInfo(token: Buffer): TSTInfo {
  return TSTInfo.fromBER(ownBytes(signedContent(parsedSignedData(token))));
}

function signedContent({ encapContentInfo }: SignedData): Buffer {
  if (encapContentInfo.eContentType !== OID.tstInfo || !encapContentInfo.eContent) throw new Error('no TSTInfo');
  return Buffer.from(encapContentInfo.eContent.getValue());
}

function attempt<T>(detail: string, work: () => T): T {
  try {
    return work();
  } catch {
    throw new TimestampRefused(detail);
  }
}
