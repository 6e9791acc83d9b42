import { mailAge } from '@constancia/mail';
import { Metrics } from '@constancia/telemetry';
import { Module } from '@nestjs/common';
import { ChangeMember } from './change-member.ts';
import { CreateMember } from './create-member.ts';
import { ListMembers } from './list-members.ts';
import { MemberMails } from './member-mails.ts';
import { OwnSessions } from './own-sessions.ts';
import { RemoveMember } from './remove-member.ts';
import { ResendInvitation } from './resend-invitation.ts';
import { SessionsOfMember } from './sessions-of-member.ts';
import { ShowMember } from './show-member.ts';

/** The people of a tenant. */
@Module({
  controllers: [
    CreateMember,
    ListMembers,
    ShowMember,
    ChangeMember,
    RemoveMember,
    ResendInvitation,
    SessionsOfMember,
    OwnSessions,
  ],
  providers: [MemberMails],
  exports: [MemberMails],
})
export class MembersModule {
  constructor(metrics: Metrics, mails: MemberMails) {
    mailAge(metrics, 'member_mail', () => mails.oldestSeconds());
  }
}
