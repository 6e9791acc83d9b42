import { Module } from '@nestjs/common';
import { ConsoleModule } from '../console/console.module.ts';
import { MembersModule } from '../members/members.module.ts';
import { ConsolePasskeys } from './console-passkeys.controller.ts';
import { OwnPasskeys } from './own-passkeys.ts';
import { PasskeyCeremonies } from './passkey-ceremonies.ts';
import { Passkeys } from './passkeys.ts';
import { PasskeysOfMember } from './passkeys-of-member.ts';

/** Passkeys of members. */
@Module({
  imports: [MembersModule, ConsoleModule],
  controllers: [ConsolePasskeys, OwnPasskeys, PasskeysOfMember],
  providers: [PasskeyCeremonies, Passkeys],
})
export class PasskeysModule {}
