import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { SecretBox, uuidv7 } from '@constancia/kernel';
import { SubjectKey } from './subject-key.ts';

const KEY_BYTES = 32;

/** A key of a new subject, and the bytes of its row. */
export interface NewSubjectKey {
  key: SubjectKey;
  wrapped: Buffer;
}

/** What a tenant's rows of `tenant_key` hold, unwrapped by KMS. */
export interface TenantKeyMaterial {
  schema: string;
  tenantId: string;
  /** 32 bytes. */
  key: Buffer;
  sealedIndexKey: Buffer;
}

/** A tenant's keys in one schema, unwrapped: everything here is local and asks nobody. */
export class TenantKeyring {
  private readonly box: SecretBox;
  private readonly indexKey: Buffer;
  /** By purpose: there are few, and deriving takes longer than the index itself. */
  private readonly purposeKeys = new Map<string, Buffer>();

  constructor(private readonly material: TenantKeyMaterial) {
    this.box = new SecretBox([material.key]);
    this.indexKey = this.box.open(material.sealedIndexKey, indexContext(material));
  }

  /** A random key for a subject without one. `id`: of its row, new by default. */
  newSubject(id: string = uuidv7()): NewSubjectKey {
    const key = randomBytes(KEY_BYTES);
    return {
      key: new SubjectKey(this.material.tenantId, id, key),
      wrapped: this.box.seal(key, this.contextOf(id)),
    };
  }

  /** The key of a subject, of the bytes in its row. Throws when these were altered, or are another subject's. */
  subject(id: string, wrapped: Buffer): SubjectKey {
    return new SubjectKey(this.material.tenantId, id, this.box.open(wrapped, this.contextOf(id)));
  }

  /**
   * Seals a copy that many rows of are opened at a time, with the tenant's own key: it must be deleted with the subject, for destroying
   * the subject's key does not end it. `context` names the row: it opens nowhere else.
   */
  sealText(context: string, text: string): Buffer {
    return this.box.seal(text, this.copyContext(context));
  }

  /** Opens what sealText made. Throws when it was altered or belongs elsewhere. */
  openText(context: string, sealed: Buffer): string {
    return this.box.open(sealed, this.copyContext(context)).toString('utf8');
  }

  /**
   * What a value is found by without being kept: HMAC-SHA-256 (32 bytes) under a key of the tenant for this purpose. Equal values,
   * equal bytes; write the value in one form before (an e-mail address in lower case).
   */
  blindIndex(purpose: string, value: string): Buffer {
    let key = this.purposeKeys.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.indexKey, '', purpose, KEY_BYTES));
      this.purposeKeys.set(purpose, key);
    }
    return createHmac('sha256', key).update(value).digest();
  }

  /** For a thread of this process: `TenantKeyring.ofBytes` makes the same keyring of it. */
  toBytes(): TenantKeyMaterial {
    return this.material;
  }

  static ofBytes({ schema, tenantId, key, sealedIndexKey }: TenantKeyMaterial): TenantKeyring {
    return new TenantKeyring({ schema, tenantId, key: Buffer.from(key), sealedIndexKey: Buffer.from(sealedIndexKey) });
  }

  private copyContext(context: string): string {
    return `${this.material.schema}:copy:${this.material.tenantId}:${context}`;
  }

  private contextOf(id: string): string {
    return `${this.material.schema}:subject_key:${this.material.tenantId}:${id}`;
  }
}

const indexContext = ({ schema, tenantId }: Pick<TenantKeyMaterial, 'schema' | 'tenantId'>): string =>
  `${schema}:index_key:${tenantId}`;

/** A random key for a tenant's blind indexes, sealed with the tenant's key. */
export function newIndexKey(owner: Pick<TenantKeyMaterial, 'schema' | 'tenantId'>, tenantKey: Buffer): Buffer {
  return new SecretBox([tenantKey]).seal(randomBytes(KEY_BYTES), indexContext(owner));
}
