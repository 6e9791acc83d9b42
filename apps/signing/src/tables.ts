import { CHARGED_WORK_TABLES } from '@constancia/credit-ledger';
import { ChainType } from '@constancia/persistence';
import { PERSONAL_DATA_TABLES, SealingProgress } from '@constancia/personal-data';
import { ARCHIVE_KEY_TABLES } from '@constancia/storage';
import { EmbedSession } from './embed/embed-session.entity.ts';
import { Circuit } from './circuits/circuit.entity.ts';
import { EnvelopeBatchChunk } from './envelope-batches/envelope-batch-chunk.entity.ts';
import { EnvelopeBatchRow } from './envelope-batches/envelope-batch-row.entity.ts';
import { EnvelopeBatch } from './envelope-batches/envelope-batch.entity.ts';
import { EnvelopeEvent } from './envelope-records/envelope-event.entity.ts';
import { EnvelopeSigner } from './envelope-records/envelope-signer.entity.ts';
import { Envelope } from './envelope-records/envelope.entity.ts';
import { ErasureReceipt } from './erasures/erasure-receipt.entity.ts';
import { DocumentEvidence } from './evidence/document-evidence.entity.ts';
import { DocumentRevision } from './evidence/document-revision.entity.ts';
import { MailTaken } from './mails/mail-taken.entity.ts';
import { TextTaken } from './mails/text-taken.entity.ts';
import { SignerMail } from './mails/signer-mail.entity.ts';
import { IdentityCancellation } from './signer-identity/identity-cancellation.entity.ts';
import { IdentityCheck } from './signer-identity/identity-check.entity.ts';
import { FormerLink } from './signer-requests/former-link.entity.ts';
import { SignerDraft } from './signer-requests/signer-draft.entity.ts';
import { SignerProof } from './signer-requests/signer-proof.entity.ts';
import { SignatureRequest } from './signatures/signature-request.entity.ts';
import { SigningKey } from './signing-keys/signing-key.entity.ts';
import { SigningSettingsRow } from './signing-settings/signing-settings.entity.ts';
import { Template } from './templates/template.entity.ts';
import { ArchivedTrail } from './trail-archive/archived-trail.entity.ts';
import { TrailArchive } from './trail-archive/trail-archive.entity.ts';

/** Every table of schema signing, those of the kits at the end. Only the migrations' own is TypeORM's. */
export const SIGNING_TABLES = [
  ArchivedTrail,
  Circuit,
  DocumentEvidence,
  DocumentRevision,
  EmbedSession,
  EnvelopeBatch,
  EnvelopeBatchChunk,
  EnvelopeBatchRow,
  EnvelopeEvent,
  EnvelopeSigner,
  Envelope,
  ErasureReceipt,
  MailTaken,
  TextTaken,
  SignerMail,
  FormerLink,
  IdentityCancellation,
  IdentityCheck,
  SignerDraft,
  SignerProof,
  SignatureRequest,
  SigningKey,
  SigningSettingsRow,
  Template,
  TrailArchive,
  ...CHARGED_WORK_TABLES,
  ...PERSONAL_DATA_TABLES,
  SealingProgress,
  ...ARCHIVE_KEY_TABLES,
  ChainType,
];
