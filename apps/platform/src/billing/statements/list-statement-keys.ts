import { X509Certificate } from 'node:crypto';
import { shape } from '@constancia/contracts';
import { AnyScope, ApiProblems } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { StatementKeyRow } from './statement-key.entity.ts';

export class StatementKeyView {
  @ApiProperty({
    ...shape.sha256,
    description: 'SHA-256 of the SubjectPublicKeyInfo (DER), hex, as the statements name it.',
  })
  fingerprint: string;

  @ApiProperty({ ...shape.keyArn, description: 'Identifier of the key in the key management service.' })
  key_arn: string;

  @ApiProperty({ ...shape.text(8_192), description: 'The public key, PEM (SubjectPublicKeyInfo).' })
  public_key_pem: string;

  @ApiProperty({
    ...shape.text(65_536),
    description: 'The certificate that the key issued to itself, PEM: trust it for pdfsig and readers.',
  })
  certificate_pem: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class StatementKeyList {
  @ApiProperty({ type: [StatementKeyView], maxItems: 1_000 })
  data: StatementKeyView[];
}

/** GET /v1/billing/statement-keys */
@Controller('v1/billing/statement-keys')
@ApiTags('Billing')
export class ListStatementKeys {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listStatementKeys',
    summary: 'List the keys that statements were sealed with',
    description: 'Newest first. Empty before the first statement was sealed.',
  })
  @ApiOkResponse({ type: StatementKeyList })
  @ApiProblems()
  async handle(): Promise<StatementKeyList> {
    const keys = await this.database.query<StatementKeyRow>('select * from platform.statement_keys()');
    return { data: keys.map(viewOf) };
  }
}

function viewOf({
  fingerprint,
  key_arn,
  public_key_pem,
  certificate_der,
  created_at,
}: StatementKeyRow): StatementKeyView {
  return {
    fingerprint: fingerprint.toString('hex'),
    key_arn,
    public_key_pem,
    certificate_pem: new X509Certificate(certificate_der).toString(),
    created_at: created_at.toISOString(),
  };
}
