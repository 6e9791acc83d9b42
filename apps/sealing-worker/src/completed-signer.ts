import type { IdentityEvidence } from '@constancia/contracts';
import {
  type Authentication,
  type CircuitSignerField,
  type CompletedSigner,
  signatureMark,
  signerName,
  tickedWithoutLabel,
  type VerifiedIdentity,
} from '@constancia/pdf-sealing';
import type { EvidenceLink, SignerToSeal } from './envelope-rows.ts';

/** What the certificate of completion states about a signer. */
export function completedSigner(signer: SignerToSeal, fields: readonly CircuitSignerField[]): CompletedSigner {
  const signed = signer.evidence.findLast(({ type }) => type === 'signer.signed');
  return {
    name: signerName(signer),
    email: signer.email,
    role: signer.role,
    linkOpenedAt: signer.viewed_at,
    documentShownAt: shownAt(signer),
    consent: {
      version: signer.consent_version,
      locale: signer.consent_locale,
      sha256: hex(signer.consent_sha256),
      at: signer.consented_at,
    },
    authentications: authenticationsOf(signer),
    signedAt: signer.signed_at,
    ticked: tickedWithoutLabel(signer, fields),
    ip: signer.signed_ip,
    userAgent: signed?.user_agent ?? null,
    frameOrigin: typeof signed?.data.frame_origin === 'string' ? signed.data.frame_origin : null,
    documentShownSha256: hex(signer.document_shown_sha256),
    signature: signatureMark(signer),
    signatureSha256: hex(signer.signature_sha256),
  };
}

/** The first time, as the trail records. The release before recorded only that the link was opened. */
function shownAt({ evidence }: SignerToSeal): Date | null {
  const shown = evidence.find(({ type }) => type === 'signer.document_shown');
  return shown ? new Date(shown.at) : null;
}

/** What led to the signature: signers may authenticate again afterwards, to see the document. */
function untilSigned(evidence: readonly EvidenceLink[]): readonly EvidenceLink[] {
  const signed = evidence.findLastIndex(({ type }) => type === 'signer.signed');
  return signed === -1 ? evidence : evidence.slice(0, signed);
}

/** When each method was passed, and after how many wrong codes, as the trail records; the last one completed the authentication. */
function authenticationsOf({ auth, authenticated_at, ...signer }: SignerToSeal): Authentication[] {
  const evidence = untilSigned(signer.evidence);
  const passedBy = (method: string) =>
    evidence.findLast((link) => link.type === 'signer.authenticated' && link.data.method === method);
  // A role that takes either way of sending a code to the phone: the one that the signer chose.
  const phone = auth.filter(isByPhone).find(passedBy);
  const methods = auth.filter((method) => phone === undefined || method === phone || !isByPhone(method));
  return methods.map((method) => {
    const passed = passedBy(method);
    const at = passed ? new Date(passed.at) : authenticated_at;
    if (method === 'identity') return { method, at, verified: passed ? verifiedBy(passed) : null };
    const failures = evidence.filter((link) => link.type === 'signer.otp_failed' && methodOf(link) === method).length;
    if (!isByPhone(method)) return { method, at, failures };
    const to = passed?.data.destination_masked;
    return { method, at, failures, to: typeof to === 'string' ? to : null };
  });
}

const isByPhone = (method: SignerToSeal['auth'][number]): method is 'otp_sms' | 'otp_whatsapp' =>
  method === 'otp_sms' || method === 'otp_whatsapp';

/** The evidence that the identity module gave; see IdentityEvidence of libs/contracts. */
function verifiedBy({ data }: EvidenceLink): VerifiedIdentity {
  const evidence = data as unknown as IdentityEvidence;
  const { document_type, document_country, verified_at, flow, session_id } = evidence;
  return {
    at: new Date(verified_at),
    documentType: document_type,
    documentCountry: document_country,
    how: howOf(evidence),
    ...{ flow, sessionId: session_id },
  };
}

function howOf({ kept, liveness }: IdentityEvidence): VerifiedIdentity['how'] {
  if (kept) return { keptSince: new Date(kept.verified_at), level: kept.level, provedBy: kept.proved_by };
  return { liveness: liveness ?? 'basic' };
}

const methodOf = ({ data }: EvidenceLink) => data.method ?? 'otp_email';

const hex = (digest: Buffer | null) => digest?.toString('hex') ?? '';
