import { Module } from '@nestjs/common';
import { AdvanceFlowSession } from './advance-controller.ts';
import { IssueChallenge } from './issue-challenge.ts';

@Module({ controllers: [AdvanceFlowSession, IssueChallenge] })
export class StepsModule {}
