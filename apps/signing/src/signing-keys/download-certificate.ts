import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, Public } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import { certificatePem } from './signing-key-view.ts';
import { SigningKeys } from './signing-keys.ts';

const PEM = 'application/x-pem-file';

/** GET /keys/{fingerprint}.crt: the certificate, for anyone. */
@Controller('keys')
@ApiTags('Signing keys')
export class DownloadCertificate {
  constructor(private readonly keys: SigningKeys) {}

  @Get(':fingerprint.crt')
  @Public()
  @AlsoOnPageHost()
  @Header('Content-Type', PEM)
  @Header('Cache-Control', 'public, max-age=3600') // the same key may get another certificate
  @ApiOperation({
    operationId: 'downloadCertificate',
    summary: 'Download a certificate',
    description:
      "Public. The X.509 certificate that signatures inside PDFs name, and its issuers' after it if it has any: the key issues " +
      'its certificate itself unless an authority has issued one.',
  })
  @ApiParam({
    name: 'fingerprint',
    description: 'SHA-256 of the SubjectPublicKeyInfo (DER) of its key, hex.',
    schema: { type: 'string', ...shape.sha256 },
  })
  @ApiProduces(PEM)
  @ApiOkResponse({
    content: { [PEM]: { schema: { type: 'string', ...shape.text(65_536) } } },
    description: 'The certificates, PEM.',
  })
  @ApiPublicProblems('not-found')
  async handle(@Param('fingerprint') fingerprint: string): Promise<string> {
    const pem = certificatePem(await this.keys.find(fingerprint));
    if (pem === null) throw new NotFound();
    return pem;
  }
}
