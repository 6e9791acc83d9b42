import { ChargedWork } from '@constancia/credit-ledger';
import { PdfPool } from '@constancia/pdf-sealing';
import { PersonalData } from '@constancia/personal-data';
import { Queues } from '@constancia/queue';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Circuits } from './circuits/circuits.ts';
import { CircuitsModule } from './circuits/circuits.module.ts';
import { SigningConfig } from './config.ts';
import { Envelopes } from './envelopes/envelopes.ts';
import { EnvelopesModule } from './envelopes/envelopes.module.ts';
import { Erasure } from './erasures/erasure.ts';
import { ErasuresModule } from './erasures/erasures.module.ts';
import { SignTokens } from './envelope-records/sign-tokens.ts';
import { MailRoom } from './mails/mail-room.ts';
import { SenderOwners } from './mails/sender-owners.ts';
import { SignerMailLoop } from './mails/signer-mail-loop.ts';
import { SignerMails } from './mails/signer-mails.ts';
import { PdfStore } from './pdf-store.ts';
import { CurrentDocuments } from './sign/current-document.ts';
import { DryRun } from './sign/dry-run.ts';
import { OtpCodes } from './sign/otp-codes.ts';
import { SignModule } from './sign/sign.module.ts';
import { SignersByToken } from './sign/find-signer.ts';
import { RenewedLinks } from './sign/renewed-links.ts';
import { SignerDesk } from './sign/signer-desk.ts';
import { SignerDrafts } from './sign/signer-drafts.ts';
import { ValueDigests } from './sign/value-digests.ts';
import { CreateSignature } from './signatures/create-signature.ts';
import { DownloadDocument } from './signatures/download-document.ts';
import { GetSignature } from './signatures/get-signature.ts';
import { ListSignatures } from './signatures/list-signatures.ts';
import { SealingHints } from './signatures/sealing-hints.ts';
import { Signatures } from './signatures/signatures.ts';
import { VerifySignature } from './signatures/verify-signature.ts';
import { DownloadCertificate } from './signing-keys/download-certificate.ts';
import { DownloadPublicKey } from './signing-keys/download-public-key.ts';
import { ListSigningKeys } from './signing-keys/list-signing-keys.ts';
import { SigningKeys } from './signing-keys/signing-keys.ts';
import { DeleteTemplate } from './templates/delete-template.ts';
import { DownloadTemplate } from './templates/download-template.ts';
import { GetTemplate } from './templates/get-template.ts';
import { ListTemplates } from './templates/list-templates.ts';
import { Templates } from './templates/templates.ts';
import { UploadTemplate } from './templates/upload-template.ts';
import { FindByHash } from './verify/find-by-hash.ts';
import { Proofs } from './verify/proof-view.ts';
import { PublicDocuments } from './verify/public-documents.ts';
import { ShowTrail } from './verify/show-trail.ts';

/** What the features may ask for; made once, in app.ts. */
export interface SigningParts {
  config: SigningConfig;
  personal: PersonalData;
  templates: Templates;
  signatures: Signatures;
  circuits: Circuits;
  envelopes: Envelopes;
  erasure: Erasure;
  tokens: SignTokens;
  signerMails: SignerMails;
  mailLoop: SignerMailLoop;
  senderOwners: SenderOwners;
  mailRoom: MailRoom;
  signingKeys: SigningKeys;
  publicDocuments: PublicDocuments;
  proofs: Proofs;
  signers: SignersByToken;
  signerDrafts: SignerDrafts;
  signerDesk: SignerDesk;
  renewedLinks: RenewedLinks;
  valueDigests: ValueDigests;
  otpCodes: OtpCodes;
  currentDocuments: CurrentDocuments;
  dryRun: DryRun;
  work: ChargedWork;
  queues: Queues;
  sealing: SealingHints;
  store: PdfStore;
  pdfs: PdfPool;
}

@Global()
@Module({})
export class SigningPartsModule {}

@Module({ controllers: [UploadTemplate, ListTemplates, GetTemplate, DownloadTemplate, DeleteTemplate] })
export class TemplatesModule {}

@Module({ controllers: [CreateSignature, ListSignatures, GetSignature, DownloadDocument, VerifySignature] })
export class SignaturesModule {}

@Module({ controllers: [ListSigningKeys, DownloadPublicKey, DownloadCertificate] })
export class SigningKeysModule {}

@Module({ controllers: [FindByHash, ShowTrail] })
export class VerificationModule {}

@Module({})
export class SigningModule {
  static of(parts: SigningParts): DynamicModule {
    const providers = [
      { provide: SigningConfig, useValue: parts.config },
      { provide: PersonalData, useValue: parts.personal },
      { provide: Templates, useValue: parts.templates },
      { provide: Signatures, useValue: parts.signatures },
      { provide: Circuits, useValue: parts.circuits },
      { provide: Envelopes, useValue: parts.envelopes },
      { provide: Erasure, useValue: parts.erasure },
      { provide: SignTokens, useValue: parts.tokens },
      { provide: SignerMails, useValue: parts.signerMails },
      { provide: SignerMailLoop, useValue: parts.mailLoop },
      { provide: MailRoom, useValue: parts.mailRoom },
      { provide: SenderOwners, useValue: parts.senderOwners },
      { provide: SigningKeys, useValue: parts.signingKeys },
      { provide: PublicDocuments, useValue: parts.publicDocuments },
      { provide: Proofs, useValue: parts.proofs },
      { provide: SignerDrafts, useValue: parts.signerDrafts },
      { provide: SignerDesk, useValue: parts.signerDesk },
      { provide: RenewedLinks, useValue: parts.renewedLinks },
      { provide: ValueDigests, useValue: parts.valueDigests },
      { provide: OtpCodes, useValue: parts.otpCodes },
      { provide: CurrentDocuments, useValue: parts.currentDocuments },
      { provide: DryRun, useValue: parts.dryRun },
      { provide: ChargedWork, useValue: parts.work },
      { provide: Queues, useValue: parts.queues },
      { provide: SealingHints, useValue: parts.sealing },
      { provide: PdfStore, useValue: parts.store },
      { provide: PdfPool, useValue: parts.pdfs },
    ];
    const shared: DynamicModule = { module: SigningPartsModule, providers, exports: providers };
    return {
      module: SigningModule,
      imports: [
        shared,
        TemplatesModule,
        SignaturesModule,
        CircuitsModule,
        EnvelopesModule,
        ErasuresModule,
        SignModule,
        SigningKeysModule,
        VerificationModule,
      ],
    };
  }
}
