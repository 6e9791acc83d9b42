import { createPublicKey } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { childProgram } from '@constancia/child-process';
import { KmsUnavailable, SigningKms, type SigningPublicKey } from '@constancia/kms';
import type { SealingIdentity } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import type { ArchiveKey } from '@constancia/storage';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import type { StatementKeyRow } from './statement-key.entity.ts';
import type { StatementFacts } from './statement-pages.ts';
import type * as press from './statement-press.ts';

/** Statements are few: a caller that asks for thousands of provisional ones must not use up the account's quota of signatures. */
const SIGNATURES_PER_SECOND = 20;

export interface StatementKey {
  keyArn: string;
  spkiDer: Buffer;
  /** SHA-256 of spkiDer, hex. */
  fingerprint: string;
  identity: SealingIdentity;
}

/** Seals statements with the platform's own key, which it publishes with its certificate before its first signature. */
@Injectable()
export class StatementSeal implements OnApplicationShutdown {
  private readonly kms: SigningKms;
  private published: Promise<StatementKey> | undefined;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
  ) {
    const { awsRegion: region, kmsEndpoint: endpoint } = config;
    this.kms = new SigningKms({ region, endpoint, maxPerSecond: SIGNATURES_PER_SECOND });
  }

  onApplicationShutdown(): void {
    this.kms.close();
  }

  /** Throws DependencyUnavailable without a key, and while KMS is unavailable. */
  async key(): Promise<StatementKey> {
    const { statementKeyId } = this.config;
    if (statementKeyId === undefined) {
      throw new DependencyUnavailable(
        'This deployment has no key that seals statements (STATEMENT_KEY_ID): statements are there as JSON and CSV.',
      );
    }
    this.published ??= this.publish(statementKeyId);
    try {
      return await this.published;
    } catch (error) {
      this.published = undefined;
      throw unavailable(error);
    }
  }

  /** The sealed PDF of a statement. Throws DependencyUnavailable. */
  async sealed(facts: Omit<StatementFacts, 'fingerprint'>): Promise<Buffer> {
    const { keyArn, spkiDer, fingerprint, identity } = await this.key();
    const { pressStatement } = await loadPress();
    try {
      return await pressStatement({ ...facts, fingerprint }, identity, (digest) => this.sign(keyArn, spkiDer, digest));
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The same key, for archived files. Throws DependencyUnavailable without a key, and while KMS is unavailable. */
  async archiveKey(): Promise<ArchiveKey> {
    const { keyArn, spkiDer, fingerprint } = await this.key();
    const key = createPublicKey({ key: spkiDer, format: 'der', type: 'spki' });
    const sign = async (digest: Buffer) => {
      try {
        return await this.sign(keyArn, spkiDer, digest);
      } catch (error) {
        throw unavailable(error);
      }
    };
    return { fingerprint, publicKeyPem: key.export({ format: 'pem', type: 'spki' }).toString(), sign };
  }

  /** PEM of the key with this fingerprint (lower-case hex), which signed an archived file. Throws DependencyUnavailable when it signed nothing here. */
  async publicKeyPem(fingerprint: string): Promise<string> {
    const keys = await this.database.query<StatementKeyRow>('select * from platform.statement_keys()');
    const key = keys.find((row) => row.fingerprint.toString('hex') === fingerprint);
    if (key) return key.public_key_pem;
    throw new DependencyUnavailable(`The database has no key ${fingerprint}, which signed this file.`);
  }

  /** By ARN, since an alias may be pointed at another key; what KMS answers is verified before anybody relies on it. */
  private async sign(keyArn: string, spkiDer: Buffer, digest: Buffer): Promise<Buffer> {
    const signature = await this.kms.sign(keyArn, digest);
    if (!SigningKms.verify(spkiDer, digest, signature))
      throw new KmsUnavailable('server-error', 'the signature does not verify');
    return signature;
  }

  /** The certificate that the key issued to itself first is kept for ever, whichever process issued it. */
  private async publish(keyId: string): Promise<StatementKey> {
    const key = await this.kms.publicKey(keyId);
    const { keyArn, spkiDer, fingerprint } = key;
    const [known] = await this.database.query<{ certificate_der: Buffer }>(
      'select k.certificate_der from platform.statement_keys() k where k.fingerprint = $1',
      [Buffer.from(fingerprint, 'hex')],
    );
    const certificateDer = known?.certificate_der ?? (await this.keepCertificate(key));
    return { keyArn, spkiDer, fingerprint, identity: { certificateDer, chainDer: [] } };
  }

  private async keepCertificate({ keyArn, spkiDer, pem, fingerprint }: SigningPublicKey): Promise<Buffer> {
    const { selfIssuedCertificate } = await loadPress();
    const subject = this.config.signingCertificateSubject;
    const sign = (digest: Buffer) => this.kms.sign(keyArn, digest);
    const [row] = await this.database.query<{ certificate_der: Buffer }>(
      'select platform.keep_statement_key($1, $2, $3, $4) as certificate_der',
      [Buffer.from(fingerprint, 'hex'), keyArn, pem, await selfIssuedCertificate({ subject, spkiDer, sign })],
    );
    return (row as { certificate_der: Buffer }).certificate_der;
  }
}

let loaded: Promise<typeof press> | undefined;

/** statement-press.ts, beside the bundle. */
function loadPress(): Promise<typeof press> {
  loaded ??= childProgram(import.meta.url, 'statement-press').then(
    (file) => import(pathToFileURL(file).href) as Promise<typeof press>,
  );
  return loaded;
}

function unavailable(error: unknown): unknown {
  if (!(error instanceof KmsUnavailable)) return error;
  return new DependencyUnavailable(
    'The key that seals statements cannot be reached: ask again, or for JSON or CSV.',
    {},
    { 'Retry-After': '5' },
  );
}
