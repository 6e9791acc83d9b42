import { OnPageHost, Public } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';

const PNG = 'image/png';
const SHA256 = /^[0-9a-f]{64}$/;

/** GET /logos/{sha256}.png on the host of the signing pages, which load nothing from elsewhere. */
@Controller('logos')
export class ShowSenderLogo {
  constructor(private readonly database: Database) {}

  @Get(':sha256.png')
  @Public()
  @OnPageHost()
  @ApiExcludeEndpoint()
  @Header('Content-Type', PNG)
  @Header('Cache-Control', 'public, max-age=31536000, immutable') // the address names its content
  @Header('Cross-Origin-Resource-Policy', 'cross-origin') // mails show it
  async handle(@Param('sha256') sha256: string): Promise<StreamableFile> {
    const [row] = SHA256.test(sha256)
      ? await this.database.query<{ bytes: Buffer | null }>('select platform_v1.public_logo($1) as bytes', [
          Buffer.from(sha256, 'hex'),
        ])
      : [];
    if (!row?.bytes) throw new NotFound();
    return new StreamableFile(row.bytes, { type: PNG, length: row.bytes.length });
  }
}
