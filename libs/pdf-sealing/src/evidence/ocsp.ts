import { createHash, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  BasicOCSPResponse,
  CertID,
  Certificate,
  OCSPRequest,
  OCSPResponse,
  Request,
  type SingleResponse,
  TBSRequest,
} from 'pkijs';
import { contentOf, derOf, octets, ownBytes } from '../pades/der.ts';
import { OID } from '../pades/oids.ts';
import { isCurrent, isIssuedBy, isSignedByAuthority } from './authority-signature.ts';
import { EvidenceUnavailable } from './evidence-unavailable.ts';

const SUCCESSFUL = 0;
/** Tag numbers of CertStatus (RFC 6960, section 4.2.1). */
const STATUS = ['good', 'revoked', 'unknown'] as const;

/** Asks for the status of a certificate (RFC 6960). Answers DER, to be sent as application/ocsp-request. */
export function ocspRequest(certificateDer: Buffer, issuerDer: Buffer): Buffer {
  const reqCert = certId(certificateDer, issuerDer);
  const tbsRequest = new TBSRequest({ requestList: [new Request({ reqCert })] });
  return derOf(new OCSPRequest({ tbsRequest }).toSchema(true));
}

/**
 * Checks that an OCSP response says now, by its issuer or one whom the issuer has delegated, that a certificate is good. Answers the
 * delegate's certificate if there is one. Throws EvidenceUnavailable.
 */
export function checkOcsp(
  response: Buffer,
  { certificateDer, issuerDer, now }: { certificateDer: Buffer; issuerDer: Buffer; now: Date },
): { delegate: Buffer | undefined } {
  const basic = basicResponse(response);
  const delegate = responder(basic, issuerDer, now);
  const { tbsResponseData } = basic;
  const signed = {
    algorithm: basic.signatureAlgorithm,
    tbs: tbsResponseData.tbsView,
    signature: contentOf(basic.signature),
  };
  if (!isSignedByAuthority(delegate ?? issuerDer, signed))
    throw new EvidenceUnavailable('the OCSP response is not signed by the issuer or its delegate');
  const wanted = certId(certificateDer, issuerDer);
  const single = tbsResponseData.responses.find(({ certID }) => isSame(certID, wanted));
  if (!single) throw new EvidenceUnavailable('the OCSP response is about another certificate');
  const status = statusOf(single);
  if (status !== 'good') throw new EvidenceUnavailable(`the OCSP responder calls the certificate ${status}`);
  if (!isCurrent(now, single.thisUpdate, single.nextUpdate))
    throw new EvidenceUnavailable('the OCSP response is out of date');
  return { delegate };
}

function basicResponse(der: Buffer): BasicOCSPResponse {
  try {
    const { responseStatus, responseBytes } = OCSPResponse.fromBER(ownBytes(der));
    const status = responseStatus.valueBlock.valueDec;
    if (status !== SUCCESSFUL) throw new EvidenceUnavailable(`the OCSP responder answered status ${status}`);
    if (responseBytes?.responseType !== OID.ocspBasic) throw new Error('no basic response');
    return BasicOCSPResponse.fromBER(ownBytes(contentOf(responseBytes.response)));
  } catch (error) {
    if (error instanceof EvidenceUnavailable) throw error;
    throw new EvidenceUnavailable('the OCSP responder gave no OCSP response', { cause: error });
  }
}

/** The certificate of a delegate that is valid now (RFC 6960, section 4.2.2.2); undefined: the issuer itself answers. */
function responder({ certs = [] }: BasicOCSPResponse, issuerDer: Buffer, now: Date): Buffer | undefined {
  return certs
    .map((certificate: Certificate) => derOf(certificate.toSchema()))
    .find((der) => isIssuedBy(der, issuerDer) && maySignResponses(new X509Certificate(der), now));
}

function maySignResponses({ keyUsage, validFrom, validTo }: X509Certificate, now: Date): boolean {
  return (keyUsage ?? []).includes(OID.ocspSigning) && isCurrent(now, new Date(validFrom), new Date(validTo));
}

function certId(certificateDer: Buffer, issuerDer: Buffer): CertID {
  const issuer = Certificate.fromBER(ownBytes(issuerDer));
  const sha1 = (bytes: Uint8Array) => octets(createHash('sha1').update(bytes).digest());
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: OID.sha1, algorithmParams: new asn1js.Null() }),
    issuerNameHash: sha1(derOf(issuer.subject.toSchema())),
    issuerKeyHash: sha1(contentOf(issuer.subjectPublicKeyInfo.subjectPublicKey)),
    serialNumber: Certificate.fromBER(ownBytes(certificateDer)).serialNumber,
  });
}

const isSame = (one: CertID, other: CertID) =>
  one.hashAlgorithm.algorithmId === other.hashAlgorithm.algorithmId &&
  contentOf(one.issuerNameHash).equals(contentOf(other.issuerNameHash)) &&
  contentOf(one.issuerKeyHash).equals(contentOf(other.issuerKeyHash)) &&
  one.serialNumber.isEqual(other.serialNumber);

function statusOf({ certStatus }: SingleResponse): (typeof STATUS)[number] {
  const tag = (certStatus as asn1js.BaseBlock).idBlock?.tagNumber;
  return STATUS[tag] ?? 'unknown';
}
