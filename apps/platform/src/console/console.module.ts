import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.ts';
import { BrowserSessions } from './browser-sessions.ts';
import { ConsoleSessionController } from './console-session.controller.ts';
import { ConsoleSessions } from './console-sessions.ts';

/** The host on which members sign in. */
@Module({
  imports: [MembersModule],
  controllers: [ConsoleSessionController],
  providers: [ConsoleSessions, BrowserSessions],
  exports: [ConsoleSessions, BrowserSessions],
})
export class ConsoleModule {}
