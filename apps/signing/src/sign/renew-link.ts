import { AlsoOnPageHost, ApiPublicProblems, Public, SecretPath } from '@constancia/http';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RenewedLinks } from './renewed-links.ts';
import { SIGN_PATH } from '../signer-requests/signer-routes.ts';

/** POST /v1/sign/{token}/new-link: a link to a sealed document that has run out is renewed, by mail to the signer's own address. */
@Controller(SIGN_PATH)
@ApiTags('Signers')
export class RenewLink {
  constructor(private readonly links: RenewedLinks) {}

  @Post('new-link')
  @HttpCode(202)
  @Public()
  @SecretPath()
  @AlsoOnPageHost()
  @ApiOperation({
    operationId: 'renewLink',
    summary: 'Have a new link mailed',
    description:
      'Links stop working 30 days after sealing. This mails a new one to the address of the signer, at most every 10 minutes and three ' +
      'times a day. The response is the same for every token, whether it belonged to a link or not.',
  })
  @ApiParam({
    name: 'token',
    description: 'The last segment of the former link.',
    schema: { type: 'string', maxLength: 1024 },
  })
  @ApiAcceptedResponse({ description: 'If the token was that of a link that has run out, a mail is on its way.' })
  @ApiPublicProblems('dependency-unavailable')
  async handle(@Param('token') token: string): Promise<void> {
    await this.links.renew(token);
  }
}
