import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const b64 = (bytes: Buffer): string => bytes.toString('base64url');

/** What a test can make a ceremony do wrong. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  /** False: the person was not verified. */
  verified?: boolean;
  userHandle?: string;
  id?: string;
  crossOrigin?: boolean;
}

/** An authenticator in memory, with one ES256 key. */
export class SoftAuthenticator {
  readonly id: Buffer;
  /** Of the last signature; 0: it does not count. */
  count = 1;
  private readonly publicKey: KeyObject;
  private readonly privateKey: KeyObject;
  /** Of the user who registered it. */
  userHandle = '';

  constructor(
    private readonly origin: string,
    idBytes = 32,
  ) {
    this.id = randomBytes(idBytes);
    ({ publicKey: this.publicKey, privateKey: this.privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  }

  create({ challenge, user }: { challenge: string; user: { id: string } }, wrong: Wrong = {}) {
    this.userHandle = user.id;
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([this.data(0x41, wrong), Buffer.alloc(16), length, this.id, key]);
    // {"fmt": "none", "attStmt": {}, "authData": h'…'}
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
      size,
      data,
    ]);
    const clientDataJSON = this.client('webauthn.create', challenge, wrong);
    const response = {
      clientDataJSON: b64(clientDataJSON),
      attestationObject: b64(attestationObject),
      transports: ['internal'],
    };
    return { id: b64(this.id), rawId: b64(this.id), type: 'public-key', clientExtensionResults: {}, response };
  }

  get({ challenge }: { challenge: string }, wrong: Wrong = {}) {
    if (this.count > 0) this.count++;
    const data = this.data(0x01, wrong);
    const clientDataJSON = this.client('webauthn.get', challenge, wrong);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), this.privateKey);
    const id = wrong.id ?? b64(this.id);
    const userHandle = wrong.userHandle ?? this.userHandle;
    const response = {
      clientDataJSON: b64(clientDataJSON),
      authenticatorData: b64(data),
      signature: b64(signature),
      userHandle,
    };
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private data(flags: number, { rpId = new URL(this.origin).hostname, verified = true }: Wrong): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | (verified ? 0x04 : 0)]), count]);
  }

  private client(type: string, challenge: string, { origin = this.origin, crossOrigin = false }: Wrong): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }
}
