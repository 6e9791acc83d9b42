import { isUuid, typeId, uuidv7 } from '@constancia/kernel';
import type { Operation } from './operations.ts';

/** Stands for an id of a kind until the request is sent: the nth that is known by then, or one that nobody has. */
export class IdRef {
  constructor(
    readonly kind: string,
    /** Whose: the caller's, another tenant's, or nobody's. */
    readonly whose: 'own' | 'foreign' | 'nobody',
    readonly nth: number,
  ) {}

  toString(): string {
    return `<${this.whose} ${this.kind} ${this.nth}>`;
  }

  toJSON(): string {
    return this.toString();
  }
}

const TYPE_ID = /\b([a-z]{3})_[0-9a-z]{26}\b/g;
/** What other members of an answer can be used again for, by the name of the member. */
const MEMBERS: Record<string, string> = {
  tenant_id: 'tenant',
  event_id: 'event',
  sign_token: 'token',
  session_token: 'session_token',
  stored_uri: 'stored_uri',
  upload_url: 'upload',
  next_cursor: 'cursor',
  fingerprint: 'fingerprint',
  sha256: 'sha256',
  document_sha256: 'sha256',
  public_id: 'public_id',
};

/** The ids and secrets that answers have shown to one tenant, by kind. */
export class KnownIds {
  private readonly byKind = new Map<string, string[]>();

  constructor(seed: readonly string[] = []) {
    for (const text of seed) this.learn(text);
  }

  /** Takes what a JSON text shows. */
  learn(text: string): void {
    for (const [id, kind] of text.matchAll(TYPE_ID)) this.add(kind as string, id);
    for (const [, name, value] of text.matchAll(/"([a-z0-9_]+)":"([^"\\]{8,2000})"/g)) {
      const kind = MEMBERS[name as string];
      if (kind !== undefined) this.add(kind, value as string);
    }
  }

  add(kind: string, value: string): void {
    const known = this.byKind.get(kind) ?? [];
    if (!known.includes(value)) known.push(value);
    if (known.length > 300) known.splice(20, 1); // the first ones are those that tests prepare: they stay
    this.byKind.set(kind, known);
  }

  nth(kind: string, n: number): string | undefined {
    const known = this.byKind.get(kind) ?? [];
    return known[n % known.length];
  }

  all(kind: string): readonly string[] {
    return this.byKind.get(kind) ?? [];
  }

  get kinds(): string[] {
    return [...this.byKind.keys()];
  }
}

/** An id of a kind that nobody has. */
export function unknownId(kind: string, like?: string): string {
  if (kind === 'tenant' || kind === 'event' || (like !== undefined && isUuid(like))) return uuidv7();
  if (kind === 'stored_uri') return `asset://${typeId('ast')}`;
  if (kind === 'sha256' || kind === 'fingerprint') return 'ab'.repeat(32);
  if (kind === 'token' || kind === 'session_token') return 'A'.repeat(43);
  return kind.length === 3 ? typeId(kind as 'sig') : `${kind}-nobody`;
}

const BY_PATH: readonly [prefix: string, kind: string][] = [
  ['/tenants/', 'tenant'],
  ['/webhook-deliveries/replays/', 'run'],
  ['/webhook-deliveries/', 'dlv'],
  ['/v1/webhook-endpoints/', 'whe'],
  ['/v1/api-keys/', 'key'],
  ['/v1/members/', 'mbr'],
  ['/v1/member-sessions/', 'mss'],
  ['/v1/passkeys/', 'psk'],
  ['/v1/wallet/me/passkeys/', 'psk'],
  ['/v1/billing/topups/', 'top'],
  ['/uploads/', 'upload'],
  ['/v1/flows/sessions/', 'fls'],
  ['/v1/flows/', 'flw'],
  ['/v1/embed/sessions/', 'ems'],
  ['/v1/wallet/presentations/', 'wpr'],
  ['/v1/oidc/clients/', 'oic'],
  ['/v1/wallet/me/consents/', 'wco'],
  ['/v1/kyc/subjects/', 'sub'],
  ['/v1/cases/', 'cas'],
  ['/v1/screenings/', 'scr'],
  ['/v1/validations/', 'val'],
  ['/v1/circuits/', 'cir'],
  ['/v1/envelopes/', 'env'],
  ['/v1/signatures/', 'sig'],
  ['/v1/templates/', 'tpl'],
];
const BY_NAME: Record<string, string> = {
  rule_id: 'rul',
  signer_id: 'sgn',
  receipt_id: 'rcp',
  attachment_id: 'caf',
  session_id: 'mss',
  passkey_id: 'psk',
  endpoint_id: 'whe',
  token: 'token',
  fingerprint: 'fingerprint',
  sha256: 'sha256',
  public_id: 'public_id',
  template_id: 'tpl',
  circuit_id: 'cir',
  validation_id: 'val',
  subject_id: 'sub',
  event_id: 'event',
  target_id: 'fls',
  discovery_id: 'wdi',
  recovery_id: 'wrc',
  cancel_token: 'token',
  cursor: 'cursor',
};

/** Which kind of id a parameter or body member takes; undefined when it takes none. */
export function kindOf(name: string, operation: Pick<Operation, 'path'>): string | undefined {
  if (name === 'id') return BY_PATH.find(([prefix]) => operation.path.startsWith(prefix))?.[1];
  return name.endsWith('_uri') ? 'stored_uri' : BY_NAME[name];
}
