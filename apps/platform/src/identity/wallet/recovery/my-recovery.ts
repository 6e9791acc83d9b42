import {
  AlsoOnPageHost,
  ApiPublicProblems,
  CurrentPerson,
  type PersonPrincipal,
  RequirePerson,
} from '@constancia/http';
import { Controller, Delete, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WalletRecoveries } from './wallet-recoveries.ts';

/** The recovery of one's own wallet, for a person who still has access to it. */
@Controller('v1/wallet/me/recovery')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class MyRecovery {
  constructor(private readonly recoveries: WalletRecoveries) {}

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'cancelOwnWalletRecovery',
    summary: 'Cancel the recovery of your wallet that is under way',
    description: 'Its passkeys and sessions stay as they are.',
  })
  @ApiNoContentResponse({ description: 'The recovery is cancelled.' })
  @ApiPublicProblems('unauthorized', 'not-found')
  cancel(@CurrentPerson() { walletId }: PersonPrincipal): Promise<void> {
    return this.recoveries.cancelOf(walletId);
  }
}
