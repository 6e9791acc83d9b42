import { logoFile, LogoHeaders, OnPageHost, Public } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';

/** GET /logos/{sha256}.png on the host of the signing pages, which load nothing from elsewhere. */
@Controller('logos')
export class ShowSenderLogo {
  constructor(private readonly database: Database) {}

  @Get(':sha256.png')
  @Public()
  @OnPageHost()
  @ApiExcludeEndpoint()
  @LogoHeaders()
  handle(@Param('sha256') sha256: string): Promise<StreamableFile> {
    return logoFile(sha256, (hash) => this.database.query('select platform_v1.public_logo($1) as bytes', [hash]));
  }
}
