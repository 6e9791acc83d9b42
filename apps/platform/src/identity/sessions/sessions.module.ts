import { Module } from '@nestjs/common';
import { ListSessions } from './list-sessions.ts';
import { OpenSession } from './open-session.ts';
import { ShowSession } from './show-session.ts';
import { ShowTrail } from './show-trail.ts';

@Module({ controllers: [OpenSession, ListSessions, ShowSession, ShowTrail] })
export class SessionsModule {}
