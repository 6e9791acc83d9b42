import { CreditLedger } from '@constancia/credit-ledger';
import { Module } from '@nestjs/common';
import { ComplianceModule } from '../compliance/compliance.module.ts';
import { PresentationsModule } from '../presentations/presentations.module.ts';
import { PrivacyModule } from '../privacy/privacy.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { UploadsModule } from '../uploads/uploads.module.ts';
import { AdvanceFlowSession } from './advance-controller.ts';
import { AdvanceSession } from './advance-session.ts';
import { ApplyOutcome } from './apply-outcome.ts';
import { IssueChallenge } from './issue-challenge.ts';
import { LivenessChallenges } from './liveness-challenges.ts';
import { ReusedIdentity } from './reused-identity.ts';
import { RunWaits } from './run-waits.ts';
import { StartRun } from './start-run.ts';
import { StepSweep } from './step-sweep.ts';

/** A subject on the way through a flow: the work of each step, and what comes of it. */
@Module({
  imports: [SubjectsModule, SessionsModule, UploadsModule, PrivacyModule, ComplianceModule, PresentationsModule],
  controllers: [AdvanceFlowSession, IssueChallenge],
  providers: [
    CreditLedger,
    ReusedIdentity,
    AdvanceSession,
    StartRun,
    ApplyOutcome,
    RunWaits,
    StepSweep,
    LivenessChallenges,
  ],
  exports: [AdvanceSession, LivenessChallenges],
})
export class StepsModule {}
