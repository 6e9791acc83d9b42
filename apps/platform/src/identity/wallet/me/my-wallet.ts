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
import { typeId } from '@constancia/kernel';
import { Body, Controller, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { WalletCredentialView } from '../credentials/wallet-credential-view.ts';
import { WalletPasskeyView } from '../passkeys/wallet-passkey-view.ts';
import {
  ExportedConsentView,
  KeptVerificationView,
  WalletConsentPage,
  WalletConsentView,
  WalletErasureView,
  WalletExportView,
  WalletView,
} from './wallet-views.ts';
import { type OpenedWallet, Wallets } from './wallets.ts';

const KEPT_BASIS =
  'Ley 1581 of 2012, article 9, and Decreto 1377 of 2013, article 8: proof that the person agreed is kept.';
const NOT_COVERED =
  'Companies that verified you keep their own records: this erasure does not touch them. Ask each of them. Their erasures do not touch a wallet.';

export class DiscoverableBody {
  @ApiProperty({ description: 'Whether requests may be sent to the registered contact.' })
  @IsBoolean()
  enabled: boolean;
}

export class DiscoverableView {
  @ApiProperty()
  enabled: boolean;
}

/** What a person does with their own wallet: WALLET_ROUTES, for its page too. */
@Controller('v1/wallet/me')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class MyWallet {
  constructor(private readonly wallets: Wallets) {}

  @Get()
  @ApiOperation({
    operationId: 'showWallet',
    summary: 'Show your wallet',
    description: 'Without document number or name.',
  })
  @ApiOkResponse({ type: WalletView })
  @ApiPublicProblems('unauthorized', 'dependency-unavailable')
  async show(@CurrentPerson() { walletId }: PersonPrincipal): Promise<WalletView> {
    return viewOf(await this.wallets.open(walletId));
  }

  @Get('export')
  @ApiOperation({
    operationId: 'exportWallet',
    summary: 'Download what your wallet holds, without the picture of your face',
    description:
      'What was verified, and what you agreed to, in the clear (Ley 1581 of 2012, article 8). Of the picture of the face it says since when ' +
      'it is kept; no operation gives the picture out.',
  })
  @ApiOkResponse({ type: WalletExportView })
  @ApiPublicProblems('unauthorized', 'dependency-unavailable')
  async export(@CurrentPerson() { walletId }: PersonPrincipal): Promise<WalletExportView> {
    const opened = await this.wallets.open(walletId);
    return {
      ...viewOf(opened),
      email: opened.contact.email,
      verifications: opened.verifications.map((row) => KeptVerificationView.of(row, opened.kept(row))),
      consents: opened.consents.map((row) =>
        ExportedConsentView.of(row, opened.origin(row), opened.revoked.get(row.id) ?? null),
      ),
      passkeys: opened.passkeys.map((row) => WalletPasskeyView.of({ ...row, ...opened.passkey(row) })),
      credentials: opened.credentials.map((row) => WalletCredentialView.of(row)),
      face_kept_at: opened.faceKeptAt?.toISOString() ?? null,
      exported_at: new Date().toISOString(),
    };
  }

  @Get('consents')
  @ApiOperation({
    operationId: 'showWalletConsents',
    summary: 'Show what you agreed to, with its receipts',
    description: 'A receipt has the text that was shown, and its SHA-256 as it was recorded then.',
  })
  @ApiOkResponse({ type: WalletConsentPage })
  @ApiPublicProblems('validation-error', 'unauthorized', 'dependency-unavailable')
  async consents(
    @CurrentPerson() { walletId }: PersonPrincipal,
    @Query() query: PageQuery,
  ): Promise<WalletConsentPage> {
    const { rows, origin, revoked } = await this.wallets.consents(walletId, beforeId(query) ?? null, query.limit);
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return {
      data: data.map((row) => WalletConsentView.of(row, origin(row), revoked.get(row.id) ?? null)),
      next_cursor,
    };
  }

  @Put('discoverable')
  @ApiOperation({
    operationId: 'putWalletDiscoverable',
    summary: 'Say whether you can be asked through your registered contact',
    description: 'Off until you turn it on.',
  })
  @ApiOkResponse({ type: DiscoverableView })
  @ApiPublicProblems('unauthorized')
  async putDiscoverable(
    @CurrentPerson() { walletId }: PersonPrincipal,
    @Body() { enabled }: DiscoverableBody,
  ): Promise<DiscoverableView> {
    await this.wallets.setDiscoverable(walletId, enabled);
    return { enabled };
  }

  @Delete()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'eraseWallet',
    summary: 'Erase your wallet',
    description:
      'Destroys the key that everything in it is encrypted with, revokes every credential that was issued from it, and ends every session. ' +
      'It cannot be undone.',
  })
  @ApiOkResponse({ type: WalletErasureView })
  @ApiPublicProblems('unauthorized')
  async erase(@CurrentPerson() { walletId }: PersonPrincipal): Promise<WalletErasureView> {
    const { receiptId, erasedAt } = await this.wallets.erase(walletId);
    return {
      receipt_id: typeId('rcp', receiptId),
      wallet_id: typeId('wlt', walletId),
      erased_at: erasedAt.toISOString(),
      erased: ['contact', 'verifications', 'credentials', 'face_picture', 'sessions', 'consent_origins'],
      kept: ['consent_records'],
      legal_basis: KEPT_BASIS,
      not_covered: NOT_COVERED,
    };
  }
}

function viewOf({ wallet, contact, verifications: [last], recoveryEffectiveAt }: OpenedWallet): WalletView {
  if (last === undefined) throw new Error('a wallet has a verification');
  return WalletView.of(wallet, contact, last, recoveryEffectiveAt);
}
