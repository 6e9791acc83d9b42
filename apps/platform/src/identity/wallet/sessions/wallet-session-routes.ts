import { shape, type WalletChallenge, type WalletSignIn } from '@constancia/contracts';
import {
  AlsoOnPageHost,
  ApiPublicProblems,
  CurrentPerson,
  type PersonPrincipal,
  Public,
  RequirePerson,
  Trimmed,
} from '@constancia/http';
import { MAIL_ADDRESS } from '@constancia/mail';
import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { Matches, MaxLength } from 'class-validator';
import { CHALLENGE_ID } from './wallet-challenge.ts';
import { WalletSessions } from './wallet-sessions.ts';

export class StartWalletSessionBody {
  @ApiProperty({ description: 'The e-mail address of the wallet.', example: 'ana@correo.example.co' })
  @Trimmed()
  @Matches(MAIL_ADDRESS, { message: 'must be one mail address' })
  @MaxLength(254)
  identifier: string;
}

export class VerifyWalletSessionBody {
  @ApiProperty({ description: 'As start answered it.' })
  @Matches(CHALLENGE_ID, { message: 'must be a challenge_id as it was answered' })
  @MaxLength(98)
  challenge_id: string;

  @ApiProperty({ description: 'The six digits of the mail.', example: '042917' })
  @Trimmed()
  @Matches(/^[0-9]{6}$/, { message: 'must be the six digits of the code' })
  @MaxLength(6)
  code: string;
}

export class WalletChallengeView implements WalletChallenge {
  @ApiProperty({ pattern: CHALLENGE_ID.source, maxLength: 98, description: 'Opaque.' })
  challenge_id: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}

export class WalletSessionView implements WalletSignIn {
  @ApiProperty({ ...shape.text(2_048), description: 'Bearer for the operations of this wallet alone. Shown once.' })
  wallet_session_jwt: string;

  @ApiProperty({ format: 'date-time', description: 'Ten minutes after the sign-in.' })
  expires_at: string;
}

/** Signing in to a wallet, and out. */
@Controller('v1/wallet/sessions')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
export class WalletSessionRoutes {
  constructor(private readonly sessions: WalletSessions) {}

  @Post('start')
  @Public()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'startWalletSession',
    summary: 'Ask for the code that signs in to a wallet',
    description:
      'Mails a code to the address, if it is that of a wallet: one a minute, five an hour. The answer is the same, after the same work, ' +
      'for every address.',
  })
  @ApiAcceptedResponse({ type: WalletChallengeView })
  @ApiPublicProblems('dependency-unavailable')
  async start(@Body() { identifier }: StartWalletSessionBody): Promise<WalletChallengeView> {
    const { challengeId, expiresAt } = await this.sessions.start(identifier);
    return { challenge_id: challengeId, expires_at: expiresAt.toISOString() };
  }

  @Post('verify')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'verifyWalletSession',
    summary: 'Sign in to a wallet with the mailed code',
    description:
      'A code counts once, for ten minutes. Five wrong ones lock the address for 15 minutes, whether or not it has a wallet.',
  })
  @ApiOkResponse({ type: WalletSessionView })
  @ApiPublicProblems('unauthorized', 'dependency-unavailable')
  async verify(@Body() { challenge_id, code }: VerifyWalletSessionBody): Promise<WalletSessionView> {
    const { token, expiresAt } = await this.sessions.verify(challenge_id, code);
    return { wallet_session_jwt: token, expires_at: expiresAt.toISOString() };
  }

  @Delete()
  @RequirePerson()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endWalletSession',
    summary: 'Sign out of the wallet',
    description: 'Ends the session that the token is of: the token is refused from then on.',
  })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  @ApiPublicProblems('unauthorized')
  end(@CurrentPerson() { walletId, sessionId }: PersonPrincipal): Promise<void> {
    return this.sessions.end(walletId, sessionId);
  }
}
