import { Module } from '@nestjs/common';
import { TopupModule } from '../../billing/topup/topup.module.ts';
import { HostedModule } from '../hosted/hosted.module.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { SessionArchiveModule } from './archive/session-archive.module.ts';
import { ListSessions } from './list-sessions.ts';
import { OpenSession } from './open-session.ts';
import { SessionTokens } from './session-access.ts';
import { SessionCallers } from './session-callers.ts';
import { SessionOpening } from './session-opening.ts';
import { Sessions } from './sessions.ts';
import { ShowSession } from './show-session.ts';
import { ShowTrail } from './show-trail.ts';

@Module({
  imports: [SubjectsModule, HostedModule, TopupModule, SessionArchiveModule],
  controllers: [OpenSession, ListSessions, ShowSession, ShowTrail],
  providers: [Sessions, SessionCallers, SessionOpening, SessionTokens],
  exports: [Sessions, SessionCallers, SessionOpening, SessionTokens],
})
export class SessionsModule {}
