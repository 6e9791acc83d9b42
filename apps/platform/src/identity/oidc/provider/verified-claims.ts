import type { WalletLevel } from '@constancia/contracts';
import type { KeptVerification } from '../../wallet/wallet-records.ts';

const TRUST_FRAMEWORK = 'co_sarlaft';

/** What a verification of a wallet says, before anything is left out. */
export interface Verification {
  kept: KeptVerification;
  level: WalletLevel;
  verifiedAt: Date;
  /** Of this verification for this tenant: others have another one. */
  process: string;
}

/** The member of a `claims` request (OpenID Connect for Identity Assurance); null: asked for by the scope. */
export type VerifiedClaimsRequest = { verification?: unknown; claims?: unknown } | null;

const CHECKS: Record<WalletLevel, string[]> = {
  document: ['document'],
  document_face: ['document', 'face'],
  document_face_liveness: ['document', 'face', 'liveness'],
};

const CLAIMS: Record<string, (kept: KeptVerification) => string | null> = {
  name: (kept) => kept.full_name,
  birthdate: (kept) => kept.birth_date,
  document_type: (kept) => kept.document_type,
  document_country: (kept) => kept.document_country,
  document_number: (kept) => kept.document_number,
};
/** What the scope asks for by itself. */
const OF_SCOPE = ['name', 'birthdate'];

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Which claims a request asks for, of those that there are. */
export function requestedClaims(request: VerifiedClaimsRequest): string[] {
  if (request === null) return OF_SCOPE;
  if (!isObject(request.claims)) return [];
  const asked = request.claims;
  return Object.keys(CLAIMS).filter((name) => Object.hasOwn(asked, name));
}

/** Whether the answer has the evidence, which names type and country of the document. */
export const tellsDocument = (request: VerifiedClaimsRequest): boolean =>
  request === null || (isObject(request.verification) && Object.hasOwn(request.verification, 'evidence'));

/** `verified_claims`, with what was asked for and nothing else; null when nothing of it is there, or another trust framework is asked for. */
export function verifiedClaims(verification: Verification, request: VerifiedClaimsRequest): object | null {
  if (!acceptsFramework(request)) return null;
  const names = requestedClaims(request);
  const claims = Object.fromEntries(
    names.flatMap((name) => {
      const value = CLAIMS[name]?.(verification.kept) ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
  if (Object.keys(claims).length === 0) return null;
  return { verification: verificationOf(verification, request), claims };
}

function acceptsFramework(request: VerifiedClaimsRequest): boolean {
  if (!isObject(request?.verification)) return true;
  const asked = request.verification.trust_framework;
  if (!isObject(asked)) return true;
  if (asked.value !== undefined) return asked.value === TRUST_FRAMEWORK;
  return !Array.isArray(asked.values) || asked.values.includes(TRUST_FRAMEWORK);
}

/** Of the scope: all of it. Of a request: the framework, and the members that it names. */
function verificationOf({ kept, level, verifiedAt, process }: Verification, request: VerifiedClaimsRequest): object {
  const all = {
    time: verifiedAt.toISOString(),
    verification_process: process,
    evidence: [
      {
        type: 'document',
        document_details: { type: kept.document_type, issuer: { country: kept.document_country } },
        check_details: CHECKS[level].map((check) => ({ check_method: check })),
      },
    ],
  };
  const asked = request === null ? all : isObject(request.verification) ? request.verification : {};
  const named = Object.entries(all).filter(([name]) => Object.hasOwn(asked, name));
  return { trust_framework: TRUST_FRAMEWORK, ...Object.fromEntries(named) };
}
