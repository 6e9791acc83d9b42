import type { ModuleSchema } from '@constancia/persistence';
import { sealFromNowOn } from '@constancia/personal-data';
import { TemplatesAndSignatures1763700000100 } from './1763700000100-templates-and-signatures.ts';
import { SealingFunctions1763700000200 } from './1763700000200-sealing-functions.ts';
import { CircuitsAndEnvelopes1763700000300 } from './1763700000300-circuits-and-envelopes.ts';
import { SignersByToken1763700000310 } from './1763700000310-signers-by-token.ts';
import { Verification1763700000320 } from './1763700000320-verification.ts';
import { EnvelopeSealing1763700000400 } from './1763700000400-envelope-sealing.ts';
import { OperatorsSeals1763700000940 } from './1763700000940-operators-seals.ts';
import { MailLag1763700000960 } from './1763700000960-mail-lag.ts';
import { SigningWriteRules1763900000500 } from './1763900000500-write-rules.ts';
import { ArchivedTemplates1764000000300 } from './1764000000300-archived-templates.ts';
import { Erasures1764000000310 } from './1764000000310-erasures.ts';
import { SignerProofs1764000000400 } from './1764000000400-signer-proofs.ts';
import { PersonalData1764000000900 } from './1764000000900-personal-data.ts';
import { SealedRequests1764000000910 } from './1764000000910-sealed-requests.ts';
import { SealedMails1764000000920 } from './1764000000920-sealed-mails.ts';
import { OwnedAnswers1764000000935 } from './1764000000935-owned-answers.ts';
import { SealedEnvelopes1764000000940 } from './1764000000940-sealed-envelopes.ts';
import { WaitingMails1764000001040 } from './1764000001040-waiting-mails.ts';
import { MailRoom1764000001050 } from './1764000001050-mail-room.ts';
import { SignerIdentity1764000004000 } from './1764000004000-signer-identity.ts';
import { ClosedTenants1764000004500 } from './1764000004500-closed-tenants.ts';
import { SigningEmbedSessions1764000004620 } from './1764000004620-embed-sessions.ts';
import { SigningFlatReads1764000006500 } from './1764000006500-flat-reads.ts';
import { SuspendedMails1764000003900 } from './1764000003900-suspended-mails.ts';
import { TextCodes1764000006300 } from './1764000006300-text-codes.ts';
import { EnvelopeRetention1764000003950 } from './1764000003950-envelope-retention.ts';
import { OwnReferences1764000006000 } from './1764000006000-own-references.ts';
import { EnvelopeValues1764000006010 } from './1764000006010-envelope-values.ts';
import { ScheduledReminders1764000006020 } from './1764000006020-scheduled-reminders.ts';
import { AttachedDocuments1764000006030 } from './1764000006030-attached-documents.ts';
import { EnvelopeBatches1764000007000 } from './1764000007000-envelope-batches.ts';
import { LongTermEvidence1764000006400 } from './1764000006400-long-term-evidence.ts';
import { TenantSigningKeys1764000007100 } from './1764000007100-tenant-signing-keys.ts';
import { SigningCertificates1764000007300 } from './1764000007300-signing-certificates.ts';
import { EnvelopeNotifications1764000007320 } from './1764000007320-envelope-notifications.ts';
import { SigningTenantLists1764000009100 } from './1764000009100-tenant-lists.ts';
import { DiscardedCircuits1764000009200 } from './1764000009200-discarded-drafts.ts';
import { SigningArchiveKeys1764000009300 } from './1764000009300-archive-keys.ts';
import { TrailArchive1764000009400 } from './1764000009400-trail-archive.ts';
import { SigningWorkAsArrays1764000009530 } from './1764000009530-work-as-arrays.ts';

/** The schema that templates, signature requests, circuits, envelopes and signing keys live in. */
export const SIGNING: ModuleSchema = {
  schema: 'signing',
  migrations: [
    TemplatesAndSignatures1763700000100,
    SealingFunctions1763700000200,
    CircuitsAndEnvelopes1763700000300,
    SignersByToken1763700000310,
    Verification1763700000320,
    EnvelopeSealing1763700000400,
    OperatorsSeals1763700000940,
    MailLag1763700000960,
    SigningWriteRules1763900000500,
    ArchivedTemplates1764000000300,
    Erasures1764000000310,
    SignerProofs1764000000400,
    PersonalData1764000000900,
    SealedRequests1764000000910,
    SealedMails1764000000920,
    OwnedAnswers1764000000935,
    SealedEnvelopes1764000000940,
    WaitingMails1764000001040,
    MailRoom1764000001050,
    SuspendedMails1764000003900,
    EnvelopeRetention1764000003950,
    SignerIdentity1764000004000,
    ClosedTenants1764000004500,
    SigningEmbedSessions1764000004620,
    OwnReferences1764000006000,
    EnvelopeValues1764000006010,
    ScheduledReminders1764000006020,
    AttachedDocuments1764000006030,
    TextCodes1764000006300,
    LongTermEvidence1764000006400,
    SigningFlatReads1764000006500,
    EnvelopeBatches1764000007000,
    TenantSigningKeys1764000007100,
    SigningCertificates1764000007300,
    EnvelopeNotifications1764000007320,
    SigningTenantLists1764000009100,
    DiscardedCircuits1764000009200,
    SigningArchiveKeys1764000009300,
    TrailArchive1764000009400,
    SigningWorkAsArrays1764000009530,
  ],
  finish: sealFromNowOn('signing'),
};
