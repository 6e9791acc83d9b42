import { PasskeyCeremonies, passkeyChallengesOf } from '@constancia/auth/passkeys';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';

/** The ceremonies of members, on the console host. */
@Injectable()
export class MemberCeremonies extends PasskeyCeremonies {
  constructor(config: PlatformConfig, database: Database) {
    super(config.consoleUrl, passkeyChallengesOf(database, 'platform'));
  }
}
