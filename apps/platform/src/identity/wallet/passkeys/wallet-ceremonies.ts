import { PasskeyCeremonies, passkeyChallengesOf } from '@constancia/auth/passkeys';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';

/** The ceremonies of persons, on the person host. */
@Injectable()
export class WalletCeremonies extends PasskeyCeremonies {
  constructor(config: PlatformConfig, database: IdentityDatabase) {
    super(config.personUrl, passkeyChallengesOf(database, 'identity'));
  }
}
