export type { PreparedSeal, SealOptions } from './append/revision.ts';
export type {
  Additions,
  AppendedPage,
  Checkmark,
  Colour,
  Drawing,
  Face,
  Modules,
  Picture,
  PlacedDrawing,
  Rule,
  TextBox,
  TextLine,
} from './drawing.ts';
export { completionCertificate } from './completion/completion-certificate.ts';
export type { Authentication, CompletedSigner, CompletionFacts } from './completion/facts.ts';
export { fieldDrawings } from './fields/field-drawings.ts';
export type {
  SignatureCaption,
  SignatureMark,
  SignerAnswers,
  SignerField,
  SignerFieldType,
} from './fields/field-drawings.ts';
export { signatureMark, signedDrawings, signerName, tickedWithoutLabel } from './fields/signed-fields.ts';
export type { CircuitSignerField, SignedSigner } from './fields/signed-fields.ts';
export { HAZARD_CODES } from './hazards/finding.ts';
export type { HazardCode } from './hazards/finding.ts';
export { certificateChain, selfIssuedCertificate } from './pades/certificate.ts';
export { keyFingerprint, subjectName } from './pades/certificate-facts.ts';
export type { SelfIssued } from './pades/certificate.ts';
export { nameProblem } from './pades/distinguished-name.ts';
export type { EmbeddedSignature, SignatureLevel } from './pades/embedded-signatures.ts';
export { seal, signatureRoom } from './pades/seal.ts';
export type { Sealer } from './pades/seal.ts';
export type { SealingIdentity } from './pades/sealing-identity.ts';
export { TimestampRefused, timestampRequest, timestampToken } from './pades/timestamp.ts';
export type { TimestampRequest } from './pades/timestamp.ts';
export { PdfPoolBusy } from './pdf-children.ts';
export type { PdfPoolOptions } from './pdf-children.ts';
export { PdfPool } from './pdf-pool.ts';
export type { Placeholder } from './placeholder.ts';
export { SealingFailure } from './sealing-failure.ts';
export type { FailureCode } from './sealing-failure.ts';
export { TEMPLATE_WARNING_CODES } from './template-report.ts';
export type { TemplateReport, TemplateWarning, TemplateWarningCode } from './template-report.ts';
export type { Locale } from './times.ts';
export { valuesAt } from './values-at.ts';
