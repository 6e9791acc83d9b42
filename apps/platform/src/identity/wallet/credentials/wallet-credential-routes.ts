import {
  AlsoOnPageHost,
  ApiPublicProblems,
  beforeId,
  CurrentPerson,
  page,
  PageQuery,
  type PersonPrincipal,
  RequirePerson,
} from '@constancia/http';
import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { WalletCredentialPage, WalletCredentialView } from './wallet-credential-view.ts';
import { WalletCredentials } from './wallet-credentials.ts';

/** The credentials of a wallet that are on the person's devices. */
@Controller('v1/wallet/me/credentials')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class WalletCredentialRoutes {
  constructor(private readonly credentials: WalletCredentials) {}

  @Get()
  @ApiOperation({
    operationId: 'listWalletCredentials',
    summary: 'List the credentials that you have had issued',
    description: 'What they say is on your device alone: here is when they were issued, and whether they are valid.',
  })
  @ApiOkResponse({ type: WalletCredentialPage })
  @ApiPublicProblems('validation-error', 'unauthorized')
  async list(@CurrentPerson() { walletId }: PersonPrincipal, @Query() query: PageQuery): Promise<WalletCredentialPage> {
    const rows = await this.credentials.list(walletId, beforeId(query) ?? null, query.limit);
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((row) => WalletCredentialView.of(row)), next_cursor };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'showWalletCredential',
    summary: 'Show a credential that you have had issued',
    description:
      'When it was issued, in how many copies, and whether it is valid; what it says is on your device alone.',
  })
  @ApiOkResponse({ type: WalletCredentialView })
  @ApiPublicProblems('unauthorized', 'not-found')
  async show(@CurrentPerson() { walletId }: PersonPrincipal, @Param('id') id: string): Promise<WalletCredentialView> {
    return WalletCredentialView.of(await this.credentials.find(walletId, id));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'revokeWalletCredential',
    summary: 'Revoke a credential, when a device is lost',
    description:
      'All of its copies, for good: status 1 in their status list within five seconds, and at verifiers that keep lists within five ' +
      'minutes. What was shown before stays with those who saw it. Again changes nothing.',
  })
  @ApiNoContentResponse({ description: 'It is revoked.' })
  @ApiPublicProblems('unauthorized', 'not-found')
  async revoke(@CurrentPerson() person: PersonPrincipal, @Param('id') id: string): Promise<void> {
    await this.credentials.revoke(person, id);
  }
}
