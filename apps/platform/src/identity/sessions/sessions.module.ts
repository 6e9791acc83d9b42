import { Module } from '@nestjs/common';
import { AdvanceFlowSession } from './advance-controller.ts';
import { IssueChallenge } from './issue-challenge.ts';
import { ListSessions } from './list-sessions.ts';
import { OpenSession } from './open-session.ts';
import { ReviewSession } from './review-session.ts';
import { ShowSession } from './show-session.ts';
import { ShowTrail } from './show-trail.ts';

@Module({
  controllers: [OpenSession, ListSessions, ShowSession, AdvanceFlowSession, IssueChallenge, ReviewSession, ShowTrail],
})
export class SessionsModule {}
