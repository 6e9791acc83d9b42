import {
  AlsoOnPageHost,
  ApiPublicProblems,
  CurrentPerson,
  type PersonPrincipal,
  RequirePerson,
} from '@constancia/http';
import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WalletPasskeyList, WalletPasskeyView } from './wallet-passkey-view.ts';
import { WalletPasskeys } from './wallet-passkeys.ts';

/** The passkeys of a wallet. They are registered on its page. */
@Controller('v1/wallet/me/passkeys')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class WalletPasskeyRoutes {
  constructor(private readonly passkeys: WalletPasskeys) {}

  @Get()
  @ApiOperation({
    operationId: 'listWalletPasskeys',
    summary: 'List the passkeys of your wallet',
    description: 'Passkeys are registered on the page of the wallet, to whose host they belong.',
  })
  @ApiOkResponse({ type: WalletPasskeyList })
  @ApiPublicProblems('unauthorized', 'dependency-unavailable')
  async list(@CurrentPerson() { walletId }: PersonPrincipal): Promise<WalletPasskeyList> {
    return { data: (await this.passkeys.list(walletId)).map((row) => WalletPasskeyView.of(row)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeWalletPasskey',
    summary: 'Remove a passkey of your wallet',
    description: 'Sessions that were opened with it end at once, this one too.',
  })
  @ApiNoContentResponse({ description: 'The passkey is removed.' })
  @ApiPublicProblems('unauthorized', 'not-found')
  async remove(@CurrentPerson() person: PersonPrincipal, @Param('id') id: string): Promise<void> {
    await this.passkeys.remove(person, id);
  }
}
