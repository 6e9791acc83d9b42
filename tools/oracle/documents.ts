import { createHash, verify } from 'node:crypto';
import { typeId } from '@constancia/kernel';
import { finding, type Query } from './finding.ts';

interface SealedRow {
  id: string;
  kind: 'signature' | 'envelope';
  document_sha256: Buffer;
  document_key: string;
  signature: Buffer;
  public_key_pem: string | null;
}

const SEALED = `
  select s.*, (select k.public_key_pem from signing.signing_key k where k.key_arn = s.kms_key_arn limit 1) as public_key_pem
    from (select id, tenant_id, 'signature' as kind, document_sha256, document_key, signature, kms_key_arn, signed_at
            from signing.signature_request where status = 'signed'
          union all select id, tenant_id, 'envelope', document_sha256, document_key, signature, kms_key_arn, signed_at
            from signing.envelope where status = 'sealed') s
   where s.tenant_id = any ($1) and s.signed_at >= $2`;

const PATHS = { signature: ['sig', '/v1/signatures'], envelope: ['env', '/v1/envelopes'] } as const;

/** Point 4: every document that was signed since then can be fetched, has the hash that its row says, and the signature over it verifies. */
export async function brokenDocuments(
  query: Query,
  signingUrl: string,
  tenants: readonly { tenantId: string; apiKey: string }[],
  since = new Date(0),
): Promise<string[]> {
  const found: string[] = [];
  const keyOf = new Map(tenants.map(({ tenantId, apiKey }) => [tenantId, apiKey]));
  const rows = await query<SealedRow & { tenant_id: string }>(SEALED, [[...keyOf.keys()], since]);
  const keys = new Set<string>();
  for (const row of rows) {
    const [prefix, path] = PATHS[row.kind];
    const id = typeId(prefix, row.id);
    if (keys.has(row.document_key)) found.push(finding('two requests with one document', id));
    keys.add(row.document_key);
    const response = await fetch(`${signingUrl}${path}/${id}/document`, {
      headers: { 'X-API-Key': keyOf.get(row.tenant_id) as string },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) found.push(finding('a document that is not there', `${id} answered ${response.status}`));
    else if (!createHash('sha256').update(bytes).digest().equals(row.document_sha256))
      found.push(finding('a document that was changed', id));
    else if (row.public_key_pem === null || !verify('sha256', bytes, row.public_key_pem, row.signature))
      found.push(finding('a signature that does not fit its document', id));
  }
  return found;
}
