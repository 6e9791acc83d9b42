import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { randomFromPool } from './ids.ts';
import { purposeKeys, type SecretKeySettings } from './purpose-keys.ts';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

/**
 * Encrypts small secrets at rest with AES-256-GCM. Sealed form: version (1 byte), key id (4), nonce (12),
 * ciphertext, tag (16). The context (for example `webhook_secret:<tenant_id>`) is authenticated, so that a sealed value
 * copied into another row does not open there.
 *
 * Keys are 32 bytes. The first key seals; every key opens, so a key is rotated by putting the new one first.
 */
export class SecretBox {
  private readonly keys: { id: Buffer; key: Buffer }[];

  constructor(keys: Buffer[]) {
    if (keys.length === 0) throw new Error('SecretBox needs at least one key');
    this.keys = keys.map((key) => {
      if (key.length !== 32) throw new Error('SecretBox keys are 32 bytes');
      return { id: createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES), key };
    });
  }

  /** Reads keys from text: base64 of 32 bytes each, comma-separated, the current one first. */
  static fromText(text: string): SecretBox {
    return new SecretBox(text.split(',').map((part) => Buffer.from(part.trim(), 'base64')));
  }

  /** The box for what is sealed at rest with SECRETS_KEY. */
  static ofSecret(settings: SecretKeySettings): SecretBox {
    return new SecretBox(purposeKeys(settings, 'sealing'));
  }

  /** The id of the key that seals: 4 bytes, which stand in every sealed value after its first. */
  get keyId(): Buffer {
    return (this.keys[0] as { id: Buffer }).id;
  }

  seal(plaintext: string | Buffer, context: string): Buffer {
    const { id, key } = this.keys[0] as { id: Buffer; key: Buffer };
    const nonce = randomFromPool(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([Buffer.from([VERSION]), id, nonce, body, cipher.getAuthTag()]);
  }

  /** Opens a sealed value. Throws when the key is unknown, the bytes were altered or the context differs. */
  open(sealed: Buffer, context: string): Buffer {
    if (sealed.length < 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== VERSION) {
      throw new Error('not a sealed value');
    }
    const id = sealed.subarray(1, 1 + KEY_ID_BYTES);
    const entry = this.keys.find((candidate) => candidate.id.equals(id));
    if (!entry) throw new Error('sealed with a key that this process does not have');
    const bodyStart = 1 + KEY_ID_BYTES + NONCE_BYTES;
    const decipher = createDecipheriv('aes-256-gcm', entry.key, sealed.subarray(1 + KEY_ID_BYTES, bodyStart))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    const body = decipher.update(sealed.subarray(bodyStart, sealed.length - TAG_BYTES));
    decipher.final(); // throws if the tag is wrong; GCM adds no bytes here
    return body;
  }
}
