import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, Public } from '@constancia/http';
import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import { SigningKeys } from './signing-keys.ts';

const PEM = 'application/x-pem-file';

/** GET /keys/{fingerprint}.pem: the public key, for anyone. */
@Controller('keys')
@ApiTags('Signing keys')
export class DownloadPublicKey {
  constructor(private readonly keys: SigningKeys) {}

  @Get(':fingerprint.pem')
  @Public()
  @AlsoOnPageHost()
  @Header('Content-Type', PEM)
  @Header('Cache-Control', 'public, max-age=31536000, immutable') // the address names its content
  @ApiOperation({
    operationId: 'downloadPublicKey',
    summary: 'Download a public key',
    description:
      'Public. `openssl dgst -sha256 -verify key.pem -signature signature.bin document.pdf` verifies with it.',
  })
  @ApiParam({
    name: 'fingerprint',
    description: 'SHA-256 of the SubjectPublicKeyInfo (DER), hex.',
    schema: { type: 'string', ...shape.sha256 },
  })
  @ApiProduces(PEM)
  @ApiOkResponse({
    content: { [PEM]: { schema: { type: 'string', ...shape.text(65_536) } } },
    description: 'The key, PEM.',
  })
  @ApiPublicProblems('not-found')
  async handle(@Param('fingerprint') fingerprint: string): Promise<string> {
    return (await this.keys.find(fingerprint)).public_key_pem;
  }
}
