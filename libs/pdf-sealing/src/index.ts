export { ownPages } from './blank-page.ts';
export type { PreparedSeal } from './append/revision.ts';
export type { Additions, AppendedPage, Drawing, PlacedDrawing, TextBox } from './drawing.ts';
export { completionCertificate } from './completion/completion-certificate.ts';
export type { Authentication, CompletedSigner, CompletionFacts, VerifiedIdentity } from './completion/facts.ts';
export { ACCENT, GREY, heightOf, LINE, PANEL, panel, Sheets, text } from './completion/sheets.ts';
export type { Block, Place, Written } from './completion/sheets.ts';
export { fieldDrawings } from './fields/field-drawings.ts';
export type { SignatureMark, SignerAnswers, SignerField } from './fields/field-drawings.ts';
export { sentDrawings, signatureMark, signedDrawings, signerName, tickedWithoutLabel } from './fields/signed-fields.ts';
export type { CircuitSignerField, SignedSigner } from './fields/signed-fields.ts';
export { HAZARD_CODES } from './hazards/finding.ts';
export { HashedFile } from './hashed-file.ts';
export { ownDocument } from './own-document.ts';
export { selfIssuedCertificate } from './pades/certificate.ts';
export {
  certificateChain,
  certificatesIn,
  chainFaultAt,
  ChainProblem,
  checkedChain,
  LONGEST_CHAIN,
} from './pades/certificate-chain.ts';
export { certificateFacts, keyFingerprint, subjectName } from './pades/certificate-facts.ts';
export type { CertificateFacts } from './pades/certificate-facts.ts';
export { nameProblem } from './pades/distinguished-name.ts';
export type { EmbeddedSignature } from './pades/embedded-signatures.ts';
export { collectEvidence } from './evidence/collect-evidence.ts';
export type { FetchEvidence } from './evidence/collect-evidence.ts';
export { EvidenceUnavailable } from './evidence/evidence-unavailable.ts';
export { lastSignature } from './evidence/last-signature.ts';
export { DOCUMENT_TIMESTAMP_ROOM, documentDigest, seal, signatureRoom, timestampDocument } from './pades/seal.ts';
export type { Sealer } from './pades/seal.ts';
export type { SealingIdentity } from './pades/sealing-identity.ts';
export { timestampRequest, timestampToken } from './pades/timestamp.ts';
export { PdfPoolBusy } from './pdf-children.ts';
export { PdfPool } from './pdf-pool.ts';
export type { Placeholder } from './placeholder.ts';
export { SealingFailure } from './sealing-failure.ts';
export type { FailureCode } from './sealing-failure.ts';
export { TEMPLATE_WARNING_CODES } from './template-report.ts';
export type { TemplateReport } from './template-report.ts';
export { BOGOTA, inBogota, inUtc } from './times.ts';
export type { Locale } from './times.ts';
export { valuesAt } from './values-at.ts';
