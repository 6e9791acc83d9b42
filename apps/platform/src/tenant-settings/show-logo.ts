import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, Public } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Header, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';

const PNG = 'image/png';
const SHA256 = /^[0-9a-f]{64}$/;

/** GET /logos/{sha256}.png: a logo, for anybody. */
@Controller('logos')
@ApiTags('Tenants')
export class ShowLogo {
  constructor(private readonly database: Database) {}

  @Get(':sha256.png')
  @Public()
  @AlsoOnPageHost('person')
  @Header('Content-Type', PNG)
  @Header('Cache-Control', 'public, max-age=31536000, immutable') // the address names its content
  @Header('Cross-Origin-Resource-Policy', 'cross-origin') // pages of other hosts and mails show it
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
  async handle(@Param('sha256') sha256: string): Promise<StreamableFile> {
    const sql = 'select platform.public_logo($1) as bytes';
    const [row] = SHA256.test(sha256)
      ? await this.database.query<{ bytes: Buffer | null }>(sql, [Buffer.from(sha256, 'hex')])
      : [];
    if (!row?.bytes) throw new NotFound();
    return new StreamableFile(row.bytes, { type: PNG, length: row.bytes.length });
  }
}
