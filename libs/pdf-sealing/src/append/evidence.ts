/** What shows that certificates were valid when they were used, as the document security store (DSS) of PDF 2.0 holds it. All DER. */
export interface Evidence {
  certificates: readonly Buffer[];
  /** OCSPResponse (RFC 6960). */
  ocspResponses: readonly Buffer[];
  /** CertificateList (RFC 5280). */
  crls: readonly Buffer[];
}
