import { bearerToken, FormBody, OAuthAnswers, Public, SecretPath } from '@constancia/http';
import { NotFound, OAuthRefused } from '@constancia/problem-json';
import { Body, Controller, Get, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CredentialNonces } from './credential-nonces.ts';
import { ACCESS_PREFIX, ACCESS_SECONDS, CredentialOffers } from './credential-offers.ts';
import { readCredentialRequest } from './credential-request.ts';
import { IssueByProofs } from './issue-by-proofs.ts';
import { IDENTITY_CONFIGURATION, IssuerAddresses, PRE_AUTHORIZED_GRANT } from './issuer-addresses.ts';

/** No code is longer: a longer text is not looked up. */
const MAX_CODE = 512;

/** What a wallet app calls, as OpenID4VCI 1.0 says: its paths, bodies and errors are not ours to describe. */
@Controller('v1')
@ApiExcludeController()
@Public()
export class IssuanceRoutes {
  constructor(
    private readonly offers: CredentialOffers,
    private readonly nonces: CredentialNonces,
    private readonly issuing: IssueByProofs,
    private readonly addresses: IssuerAddresses,
  ) {}

  /** Section 4.1.3. An offer that is unknown, over or used is the same 404. */
  @Get('wallet/issuance/offers/:token')
  @SecretPath()
  async offer(@Param('token') token: string): Promise<object> {
    const code = await this.offers.codeOf(token);
    if (code === null) throw new NotFound();
    const tx_code = { input_mode: 'numeric', length: 6 };
    return {
      credential_issuer: this.addresses.issuer,
      credential_configuration_ids: [IDENTITY_CONFIGURATION],
      grants: { [PRE_AUTHORIZED_GRANT]: { 'pre-authorized_code': code, tx_code } },
    };
  }

  /** Section 6. */
  @Post('wallet/issuance/token')
  @FormBody()
  @OAuthAnswers()
  @HttpCode(200)
  async token(@Body() form: Record<string, string> | undefined): Promise<object> {
    const { grant_type, 'pre-authorized_code': code = '', tx_code = '' } = form ?? {};
    if (grant_type === undefined) throw new OAuthRefused('invalid_request', 'grant_type is missing.');
    if (grant_type !== PRE_AUTHORIZED_GRANT)
      throw new OAuthRefused('unsupported_grant_type', 'The grant is not that of a pre-authorized code.');
    if (code === '' || tx_code === '' || code.length > MAX_CODE || tx_code.length > MAX_CODE)
      throw new OAuthRefused('invalid_request', 'Send pre-authorized_code and tx_code.');
    const access_token = await this.offers.redeem(code, tx_code);
    return { access_token, token_type: 'Bearer', expires_in: ACCESS_SECONDS };
  }

  /** Section 7. */
  @Post('oidc/nonce')
  @OAuthAnswers()
  @HttpCode(200)
  nonce(): object {
    return { c_nonce: this.nonces.issue() };
  }

  /** Section 8. */
  @Post('oidc/credential')
  @OAuthAnswers()
  @HttpCode(200)
  async credential(
    @Headers() headers: Record<string, string>,
    @Body() body: Record<string, unknown> | undefined,
  ): Promise<object> {
    const token = bearerToken(headers, ACCESS_PREFIX);
    const grant = token === undefined ? null : await this.offers.grantOf(token);
    if (grant === null)
      throw new OAuthRefused('invalid_token', 'The access token is missing, has expired or was used.');
    const request = await readCredentialRequest(body, this.addresses.issuer);
    const copies = await this.issuing.issue(grant, request);
    return { credentials: copies.map((credential) => ({ credential })) };
  }
}
