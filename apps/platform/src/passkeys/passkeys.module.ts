import { OpsModule } from '@constancia/http';
import { Module } from '@nestjs/common';
import { ConsoleModule } from '../console/console.module.ts';
import { MembersModule } from '../members/members.module.ts';
import { ConsolePasskeys } from './console-passkeys.controller.ts';
import { MemberCeremonies } from './member-ceremonies.ts';
import { OwnPasskeys } from './own-passkeys.ts';
import { PasskeyActions } from './passkey-actions.ts';
import { Passkeys } from './passkeys.ts';
import { PasskeysOfMember } from './passkeys-of-member.ts';

/** Passkeys of members. */
@Module({
  imports: [OpsModule, MembersModule, ConsoleModule],
  controllers: [ConsolePasskeys, OwnPasskeys, PasskeysOfMember, PasskeyActions],
  providers: [MemberCeremonies, Passkeys],
})
export class PasskeysModule {}
