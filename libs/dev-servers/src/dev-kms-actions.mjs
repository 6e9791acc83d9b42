/** What the development KMS can do: one function per action of the AWS protocol (JSON in, JSON out). */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  privateEncrypt,
  publicDecrypt,
  randomBytes,
  sign as signBytes,
} from 'node:crypto';
import { promisify } from 'node:util';
import { ACCOUNT, KmsError } from './dev-kms-keys.mjs';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';
/** DER of the DigestInfo of SHA-256 up to the digest itself (RFC 8017, section 9.2, note 1). */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

function bytesOf(value, name, min, max) {
  if (typeof value !== 'string') throw new KmsError('ValidationException', `${name} is required`);
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length < min || bytes.length > max) {
    throw new KmsError('ValidationException', `${name} must have ${min} to ${max} bytes`);
  }
  return bytes;
}

function signingKey(folder, body) {
  const key = folder.find(body.KeyId);
  if (key.spec !== 'RSA_2048')
    throw new KmsError('InvalidKeyUsageException', `${key.arn} key usage is ENCRYPT_DECRYPT`);
  if (body.SigningAlgorithm !== ALGORITHM) {
    throw new KmsError('ValidationException', `this server signs with ${ALGORITHM} only`);
  }
  return key;
}

/** The message to sign: its digest (32 bytes) for DIGEST, up to 4096 bytes otherwise. */
function digestOf(body) {
  if (body.MessageType === 'DIGEST') {
    const digest = bytesOf(body.Message, 'Message', 0, 4096);
    if (digest.length !== 32) {
      throw new KmsError('ValidationException', 'Digest is invalid length for algorithm RSASSA_PKCS1_V1_5_SHA_256.');
    }
    return { digest };
  }
  const message = bytesOf(body.Message, 'Message', 1, 4096);
  return { message, digest: createHash('sha256').update(message).digest() };
}

function symmetricKey(folder, reference) {
  const key = folder.find(reference);
  if (key.spec !== 'SYMMETRIC_DEFAULT')
    throw new KmsError('InvalidKeyUsageException', `${key.arn} key usage is SIGN_VERIFY`);
  return key;
}

const contextOf = (body) => Buffer.from(JSON.stringify(Object.entries(body.EncryptionContext ?? {}).sort()));

function encrypt(key, plaintext, context) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(context);
  const text = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id), nonce, text, cipher.getAuthTag()]).toString('base64');
}

function decrypt(folder, blob, context) {
  const key = folder.keys.get(blob.subarray(0, 36).toString('latin1'));
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.secret, blob.subarray(36, 48))
      .setAAD(context)
      .setAuthTag(blob.subarray(-16));
    return { key, plaintext: Buffer.concat([decipher.update(blob.subarray(48, -16)), decipher.final()]) };
  } catch {
    throw new KmsError('InvalidCiphertextException', '');
  }
}

function metadata(key) {
  const signs = key.spec === 'RSA_2048';
  return {
    AWSAccountId: ACCOUNT,
    KeyId: key.id,
    Arn: key.arn,
    CreationDate: Date.parse(key.created_at) / 1000,
    Description: key.description,
    Enabled: key.enabled,
    KeyManager: 'CUSTOMER',
    KeySpec: key.spec,
    CustomerMasterKeySpec: key.spec,
    KeyState: key.enabled ? 'Enabled' : 'Disabled',
    KeyUsage: signs ? 'SIGN_VERIFY' : 'ENCRYPT_DECRYPT',
    MultiRegion: false,
    Origin: 'AWS_KMS',
    ...(signs ? { SigningAlgorithms: [ALGORITHM] } : { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }),
  };
}

const signAsync = promisify(signBytes);
const signDigest = (key, digest) =>
  privateEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.concat([DIGEST_INFO, digest]));

export const ACTIONS = {
  async Sign(folder, body) {
    const key = signingKey(folder, body);
    const { message, digest } = digestOf(body);
    const signature = message ? await signAsync('sha256', message, key.privateKey) : signDigest(key.privateKey, digest);
    return { KeyId: key.arn, Signature: signature.toString('base64'), SigningAlgorithm: ALGORITHM };
  },

  async Verify(folder, body) {
    const key = signingKey(folder, body);
    const { digest } = digestOf(body);
    let encoded;
    try {
      const signature = bytesOf(body.Signature, 'Signature', 1, 6144);
      encoded = publicDecrypt({ key: key.publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
    } catch {
      encoded = Buffer.alloc(0);
    }
    if (!encoded.equals(Buffer.concat([DIGEST_INFO, digest]))) throw new KmsError('KMSInvalidSignatureException', '');
    return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: ALGORITHM };
  },

  async GetPublicKey(folder, body) {
    const key = folder.find(body.KeyId);
    if (!key.publicDer) throw new KmsError('UnsupportedOperationException', `${key.arn} is a symmetric key`);
    return {
      KeyId: key.arn,
      PublicKey: key.publicDer.toString('base64'),
      KeySpec: key.spec,
      CustomerMasterKeySpec: key.spec,
      KeyUsage: 'SIGN_VERIFY',
      SigningAlgorithms: [ALGORITHM],
    };
  },

  async DescribeKey(folder, body) {
    return { KeyMetadata: metadata(folder.find(body.KeyId)) };
  },

  async CreateKey(folder, body) {
    const spec = body.KeySpec ?? body.CustomerMasterKeySpec ?? 'SYMMETRIC_DEFAULT';
    const usage = body.KeyUsage ?? (spec === 'RSA_2048' ? 'SIGN_VERIFY' : 'ENCRYPT_DECRYPT');
    const known = { RSA_2048: 'SIGN_VERIFY', SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT' };
    if (known[spec] !== usage)
      throw new KmsError('ValidationException', 'this server makes RSA_2048 keys that sign and symmetric ones');
    return { KeyMetadata: metadata(await folder.create(spec, body.Description)) };
  },

  async CreateAlias(folder, body) {
    const name = body.AliasName;
    if (typeof name !== 'string' || !/^alias\/[A-Za-z0-9/_-]{1,250}$/.test(name))
      throw new KmsError('InvalidAliasNameException', 'AliasName is alias/ and letters, digits, /, _ and -');
    if (folder.aliases.has(name))
      throw new KmsError('AlreadyExistsException', `An alias with the name ${name} already exists`);
    folder.alias(name, folder.find(body.TargetKeyId).id);
    return {};
  },

  async DisableKey(folder, body) {
    folder.enable(body.KeyId, false);
    return {};
  },

  async EnableKey(folder, body) {
    folder.enable(body.KeyId, true);
    return {};
  },

  async Encrypt(folder, body) {
    const key = symmetricKey(folder, body.KeyId);
    const plaintext = bytesOf(body.Plaintext, 'Plaintext', 1, 4096);
    return {
      KeyId: key.arn,
      CiphertextBlob: encrypt(key, plaintext, contextOf(body)),
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  },

  async Decrypt(folder, body) {
    const blob = bytesOf(body.CiphertextBlob, 'CiphertextBlob', 1, 6144);
    const { key, plaintext } = decrypt(folder, blob, contextOf(body));
    if (body.KeyId && folder.find(body.KeyId).id !== key.id) throw new KmsError('IncorrectKeyException', '');
    return { KeyId: key.arn, Plaintext: plaintext.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  },

  async GenerateDataKey(folder, body) {
    const key = symmetricKey(folder, body.KeyId);
    const size = body.NumberOfBytes ?? { AES_128: 16, AES_256: 32 }[body.KeySpec];
    if (!Number.isInteger(size) || size < 1 || size > 1024) {
      throw new KmsError('ValidationException', 'either KeySpec or NumberOfBytes is required');
    }
    const plaintext = randomBytes(size);
    return {
      KeyId: key.arn,
      CiphertextBlob: encrypt(key, plaintext, contextOf(body)),
      Plaintext: plaintext.toString('base64'),
    };
  },
};
