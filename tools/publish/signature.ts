import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { WORKSPACE } from '@constancia/bundling/workspace';

/**
 * The key that signs a release: Ed25519, since its signatures over the same bytes are the same, as PEM in a file outside of the
 * repository. An encrypted one is opened with `passphrase`.
 */
export function releaseKey(file: string, passphrase?: string): KeyObject {
  const relative = path.relative(fs.realpathSync(WORKSPACE), fs.realpathSync(file));
  if (!relative.startsWith('..') && !path.isAbsolute(relative))
    throw new Error(`${file} lies in the repository: keep the key that signs releases elsewhere.`);
  const key = createPrivateKey({ key: fs.readFileSync(file), passphrase });
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(
      `${file} is a key of type ${key.asymmetricKeyType}: make one with openssl genpkey -algorithm ed25519.`,
    );
  return key;
}

/** SHA-256 of the public key (SubjectPublicKeyInfo), by which those who verify know it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Writes SHA256SUMS of every file below a folder, as `sha256sum --check` reads it, and SHA256SUMS.sig, the signature over it. */
export function signFolder(folder: string, key: KeyObject): void {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
  const lines = files.map((file) => {
    const digest = createHash('sha256')
      .update(fs.readFileSync(path.join(folder, file)))
      .digest('hex');
    return `${digest}  ${file}\n`;
  });
  const sums = Buffer.from(lines.join(''));
  fs.writeFileSync(path.join(folder, 'SHA256SUMS'), sums);
  fs.writeFileSync(path.join(folder, 'SHA256SUMS.sig'), sign(null, sums, key));
}
