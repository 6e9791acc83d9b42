import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, logoFile, LogoHeaders, PNG, Public } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';

/** GET /logos/{sha256}.png: a logo, for anybody. */
@Controller('logos')
@ApiTags('Tenants')
export class ShowLogo {
  constructor(private readonly database: Database) {}

  @Get(':sha256.png')
  @Public()
  @AlsoOnPageHost('person')
  @LogoHeaders()
  @ApiOperation({
    operationId: 'showLogo',
    summary: 'Show a logo',
    description: 'Public: pages and mails of the tenant load it. 404 once no tenant has this logo.',
  })
  @ApiParam({ name: 'sha256', description: 'SHA-256 of the file, hex.', schema: { type: 'string', ...shape.sha256 } })
  @ApiProduces(PNG)
  @ApiOkResponse({
    content: { [PNG]: { schema: { type: 'string', format: 'binary', maxLength: 524_288 } } },
    description: 'The logo.',
  })
  @ApiPublicProblems('not-found')
  handle(@Param('sha256') sha256: string): Promise<StreamableFile> {
    return logoFile(sha256, (hash) => this.database.query('select platform.public_logo($1) as bytes', [hash]));
  }
}
