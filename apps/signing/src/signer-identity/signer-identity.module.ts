import { Module } from '@nestjs/common';
import { SignerRequestsModule } from '../signer-requests/signer-requests.module.ts';
import { CompleteIdentity } from './complete-identity.ts';
import { IdentityChecks } from './identity-checks.ts';
import { IdentityRequests } from './identity-requests.ts';
import { IdentityResultProcessor } from './identity-result.processor.ts';
import { IdentityResults } from './identity-results.ts';
import { ShowIdentity } from './show-identity.ts';
import { StartIdentity } from './start-identity.ts';

/** Signers who prove who they are with a document and their face, in a flow of the identity module. */
@Module({
  imports: [SignerRequestsModule],
  controllers: [StartIdentity, ShowIdentity, CompleteIdentity],
  providers: [IdentityChecks, IdentityRequests, IdentityResults, IdentityResultProcessor],
  exports: [IdentityChecks, IdentityRequests],
})
export class SignerIdentityModule {}
