import { SigningKms, type SigningPublicKey } from '@constancia/kms';
import { keyFingerprint, type SealingIdentity, selfIssuedCertificate } from '@constancia/pdf-sealing';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { SealingConfig } from './config.ts';
import { configuredChain } from './configured-chain.ts';

interface Row {
  certificate_der: Buffer | null;
  certificate_chain_der: Buffer[];
}

/** The configured certificate is another key's: nobody could verify what is signed under it. */
export class CertificateOfAnotherKey extends Error {
  constructor(keyArn: string) {
    super(`the certificate in SIGNING_CERTIFICATE_CHAIN_PEM is not of the key that signs (KMS_KEY_ID: ${keyArn})`);
    this.name = 'CertificateOfAnotherKey';
  }
}

/** The certificates of the signing keys, kept beside the public keys. */
@Injectable()
export class SigningCertificates {
  /** Of an authority; undefined: the key issues a certificate to itself. */
  private readonly chain: SealingIdentity | undefined;

  /** Throws ConfigInvalid. */
  constructor(
    private readonly kms: SigningKms,
    private readonly database: Database,
    private readonly config: SealingConfig,
  ) {
    this.chain = configuredChain(config.certificateChainFile);
  }

  /** Whether an authority's certificate is configured. */
  get configured(): boolean {
    return this.chain !== undefined;
  }

  /** Throws CertificateOfAnotherKey. */
  check({ fingerprint, keyArn }: SigningPublicKey): void {
    const { chain } = this;
    if (chain && keyFingerprint(chain.certificateDer) !== fingerprint) throw new CertificateOfAnotherKey(keyArn);
  }

  /**
   * The certificate of a registered key: the configured one, or the one that it issued to itself, once for all workers. The key's
   * row is locked meanwhile. Throws CertificateOfAnotherKey and KmsUnavailable.
   */
  of(key: SigningPublicKey): Promise<SealingIdentity> {
    this.check(key);
    const fingerprint = Buffer.from(key.fingerprint, 'hex');
    return this.database.transaction(async (tx) => {
      const [kept] = await tx.query<Row>('select * from signing.lock_signing_certificate($1)', [fingerprint]);
      const { chain } = this;
      if (!chain && kept?.certificate_der)
        return { certificateDer: kept.certificate_der, chainDer: kept.certificate_chain_der };
      if (chain && kept?.certificate_der?.equals(chain.certificateDer)) return chain;
      const identity = chain ?? { certificateDer: await this.selfIssued(key), chainDer: [] };
      await tx.query('select signing.keep_signing_certificate($1, $2, $3)', [
        fingerprint,
        identity.certificateDer,
        identity.chainDer,
      ]);
      return identity;
    });
  }

  private selfIssued({ keyArn, spkiDer }: SigningPublicKey): Promise<Buffer> {
    const { kms } = this;
    const { certificateSubject: subject } = this.config;
    return selfIssuedCertificate({ subject, spkiDer, sign: (digest) => kms.sign(keyArn, digest) });
  }
}
