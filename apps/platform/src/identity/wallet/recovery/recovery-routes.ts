import { AlsoOnPageHost, ApiPublicProblems, Public, SecretPath } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CompleteRecoveryBody,
  RecoveryStartView,
  RecoveryVerifiedView,
  RecoveryView,
  StartRecoveryBody,
  VerifyRecoveryBody,
} from './recovery-bodies.ts';
import { RecoveryChecks } from './recovery-checks.ts';
import { WalletRecoveries } from './wallet-recoveries.ts';
import { typeId } from '@constancia/kernel';

/** 32 random bytes, base64url. */
const CANCEL_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export class RecoveryCancelledView {}

/** WALLET_RECOVERY_ROUTES. */
@Controller('v1/wallet/recovery')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@Public()
@SecretPath()
export class RecoveryRoutes {
  constructor(
    private readonly recoveries: WalletRecoveries,
    private readonly checks: RecoveryChecks,
  ) {}

  @Post('start')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startWalletRecovery',
    summary: 'Begin to recover a wallet whose passkeys are lost',
    description:
      'Mails a code to the address, if it is that of a wallet: five a day. The answer is the same, after the same work, for every address.',
  })
  @ApiAcceptedResponse({ type: RecoveryStartView })
  @ApiPublicProblems('dependency-unavailable')
  async start(@Body() { identifier }: StartRecoveryBody): Promise<RecoveryStartView> {
    const { id, expiresAt } = await this.recoveries.start(identifier);
    return { recovery_id: typeId('wrc', id), expires_at: expiresAt.toISOString() };
  }

  @Post('verify')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'verifyWalletRecovery',
    summary: 'Prove the address of the wallet with the mailed code',
    description: 'Three wrong codes end the recovery, whether or not the address has a wallet.',
  })
  @ApiOkResponse({ type: RecoveryVerifiedView })
  @ApiPublicProblems('not-found', 'state-conflict', 'unprocessable-entity', 'dependency-unavailable')
  async verify(@Body() { recovery_id, code }: VerifyRecoveryBody): Promise<RecoveryVerifiedView> {
    const { uploadUrl, expiresAt } = await this.recoveries.verify(recovery_id, code);
    return { state: 'needs_liveness', upload_url: uploadUrl, expires_at: expiresAt.toISOString() };
  }

  @Post('complete')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'completeWalletRecovery',
    summary: 'Have the face compared, and begin the 24 hours in which the recovery can be cancelled',
    description:
      'Compares the pictures with the face that the wallet keeps. `passkey` ({name, credential}) is made on the page of the wallet, to whose ' +
      'host it belongs. Answers `cooling` with `effective_at`, `rejected`, or `contact_verified` with the reason for another attempt; what ' +
      'is not settled after 20 s is shown by the recovery itself. Nothing of the old access changes before `effective_at`.',
  })
  @ApiOkResponse({ type: RecoveryView })
  @ApiPublicProblems(
    'validation-error',
    'not-found',
    'state-conflict',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async complete(@Body() body: CompleteRecoveryBody): Promise<RecoveryView> {
    return RecoveryView.of(await this.checks.complete(body));
  }

  @Post('cancel/:cancel_token')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelWalletRecovery',
    summary: 'Cancel a recovery with the link of its notice',
    description:
      'Works until the recovery takes effect. The same 404 for an unknown token and for a recovery that is over.',
  })
  @ApiOkResponse({ type: RecoveryCancelledView, description: 'Nothing of the old access has changed.' })
  @ApiPublicProblems('not-found')
  async cancel(@Param('cancel_token') token: string): Promise<RecoveryCancelledView> {
    if (!CANCEL_TOKEN.test(token)) throw new NotFound('There is no recovery that could be cancelled.');
    await this.recoveries.cancelByLink(token);
    return {};
  }

  @Get(':recovery_id')
  @ApiOperation({
    operationId: 'showWalletRecovery',
    summary: 'Show how a recovery stands',
    description: 'Without who its person is. Three days after its start a recovery is forgotten.',
  })
  @ApiOkResponse({ type: RecoveryView })
  @ApiPublicProblems('not-found')
  async show(@Param('recovery_id') id: string): Promise<RecoveryView> {
    return RecoveryView.of(await this.recoveries.find(id));
  }
}
