import { shape, type WalletCredentialOffer } from '@constancia/contracts';
import {
  AlsoOnPageHost,
  ApiPublicProblems,
  CurrentPerson,
  type PersonPrincipal,
  RequirePerson,
} from '@constancia/http';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CredentialOffers } from './credential-offers.ts';
import { IssuerAddresses } from './issuer-addresses.ts';

export class CredentialOfferView implements WalletCredentialOffer {
  @ApiProperty({
    ...shape.text(2_048),
    format: 'uri',
    description: 'Where the wallet app reads the offer: it needs the mailed code, too. Shown once.',
  })
  credential_offer_uri: string;

  @ApiProperty({
    ...shape.text(2_048),
    description: 'The same as a link that opens a wallet app, or as a QR code: `openid-credential-offer://…`.',
  })
  offer_link: string;

  @ApiProperty({ format: 'date-time', description: 'Ten minutes from now, or when the next one is made.' })
  expires_at: string;
}

/** POST /v1/wallet/me/credential-offers: the person wants their verified identity on a device. */
@Controller('v1/wallet/me/credential-offers')
@ApiTags('Wallet')
@AlsoOnPageHost('person')
@RequirePerson()
export class CreateCredentialOffer {
  constructor(
    private readonly offers: CredentialOffers,
    private readonly addresses: IssuerAddresses,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    operationId: 'createCredentialOffer',
    summary: 'Put your verified identity on a device',
    description:
      'For a wallet app that understands OpenID4VCI 1.0 (pre-authorized code) and SD-JWT VC. The app asks for a code of six digits, which ' +
      'is mailed to the registered address (tx_code). An offer is redeemed once, five wrong codes end it, and it takes the place of the one ' +
      'before. Ten an hour.',
  })
  @ApiCreatedResponse({ type: CredentialOfferView })
  @ApiPublicProblems('unauthorized')
  async handle(@CurrentPerson() person: PersonPrincipal): Promise<CredentialOfferView> {
    const { token, expiresAt } = await this.offers.create(person);
    const address = this.addresses.offer(token);
    return {
      credential_offer_uri: address,
      offer_link: `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(address)}`,
      expires_at: expiresAt.toISOString(),
    };
  }
}
