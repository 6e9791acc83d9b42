/** Whose seal it is. */
export interface SealingIdentity {
  /** X.509 certificate of the signing key. */
  certificateDer: Buffer;
  /** Its issuers', the nearest first; empty when it issued itself. */
  chainDer: readonly Buffer[];
}
