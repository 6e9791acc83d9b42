/** What shows that certificates were valid when they were used: PDF 2.0 calls the place of it a document security store (DSS). All DER. */
export interface Evidence {
  certificates: readonly Buffer[];
  /** OCSPResponse (RFC 6960). */
  ocspResponses: readonly Buffer[];
  /** CertificateList (RFC 5280). */
  crls: readonly Buffer[];
}
