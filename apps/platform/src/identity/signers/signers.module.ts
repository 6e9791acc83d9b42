import { CreditLedger, LedgerReader } from '@constancia/credit-ledger';
import { Database } from '@constancia/persistence';
import { Module } from '@nestjs/common';
import { HostedModule } from '../hosted/hosted.module.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { SignerCancellations } from './signer-cancellations.ts';
import { SignerChecks } from './signer-checks.ts';
import { SignerIdentityProcessor } from './signer-identity.processor.ts';

/** Signers of the signing module whose identity is verified in a flow. */
@Module({
  imports: [IdentityStoreModule, HostedModule, SessionsModule, SubjectsModule],
  providers: [
    CreditLedger,
    SignerCancellations,
    { provide: LedgerReader, inject: [Database], useFactory: (database: Database) => new LedgerReader(database) },
    SignerChecks,
    SignerIdentityProcessor,
  ],
})
export class SignersModule {}
