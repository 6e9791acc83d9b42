import type { TrailLink } from './chain.ts';

/** What proves a document: GET /v1/verify/by-sha256/{sha256}. */
export interface Proof {
  document_sha256: string | null;
  kms_key_arn: string | null;
  signature: string | null;
  signature_algorithm: string | null;
  signed_at: string | null;
  public_key_url: string | null;
  certificate_url: string | null;
}

export interface SealedDocument extends Proof {
  kind: 'signature' | 'envelope';
  public_id: string | null;
}

export interface PublicSigner {
  name_masked: string | null;
  role: string;
  status: string;
  signed_at: string | null;
}

export interface PublicEvent extends TrailLink {
  type: string;
  at: string;
  role: string | null;
}

/** GET /v1/verify/{public_id}. */
export interface PublicEnvelope extends Proof {
  public_id: string;
  status: string;
  tenant: { display_name: string };
  base_document_sha256: string;
  signers: PublicSigner[];
  trail: PublicEvent[];
  trail_head: string | null;
}

export const envelopeAt = (publicId: string) => answer<PublicEnvelope>(`/v1/verify/${encodeURIComponent(publicId)}`);
export const documentWith = (sha256: string) => answer<SealedDocument>(`/v1/verify/by-sha256/${sha256}`);

/** The answer, null when there is no such thing. Throws on any other status. */
async function answer<Body>(path: string): Promise<Body | null> {
  const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as Body;
}
