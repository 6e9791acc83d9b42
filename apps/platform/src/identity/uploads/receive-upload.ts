import { ApiPublicProblems, Public, RawBody } from '@constancia/http';
import { PayloadTooLarge, UnsupportedMediaType } from '@constancia/problem-json';
import { Controller, Headers, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { PICTURE_TYPES } from './asset-row.ts';
import { declaredPictureType } from './picture-type.ts';
import { MOST_BYTES } from './presigns.ts';
import { UploadAddresses, type UploadQuery } from './upload-address.ts';
import { Uploads } from './uploads.ts';

/** Opaque: presign-upload writes it, nobody else can. */
export class UploadAddressQuery implements UploadQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  t?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  exp?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  max?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  type?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  sig?: string;
}

/** PUT /uploads/{id}: the picture of a presigned upload. */
@Controller('uploads')
@ApiTags('Subjects')
export class ReceiveUpload {
  constructor(
    private readonly addresses: UploadAddresses,
    private readonly uploads: Uploads,
  ) {}

  @Put(':id')
  @HttpCode(204)
  @Public()
  @ApiParam({ name: 'id', description: 'The whole address comes from presign-upload.' })
  @ApiOperation({
    operationId: 'receiveUpload',
    summary: 'Upload a picture to a presigned address',
    description:
      'PUT the bytes with their Content-Type to `upload_url` as it is. 401: expired or altered. 409: it has its picture already, or is ' +
      'receiving it. 413: too many bytes or pixels. 415: another type than announced, or other bytes than the type says. 422: damaged.',
  })
  @ApiNoContentResponse({ description: 'Kept.' })
  @ApiPublicProblems(
    'validation-error',
    'bad-request',
    'unauthorized',
    'not-found',
    'state-conflict',
    'payload-too-large',
    'unsupported-media-type',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async handle(
    @Param('id') id: string,
    @Query() query: UploadAddressQuery,
    @Headers('content-type') contentType: string | undefined,
    @RawBody(PICTURE_TYPES, MOST_BYTES) bytes: Buffer,
  ): Promise<void> {
    const grant = this.addresses.grantOf(id, query);
    const declared = declaredPictureType(contentType);
    if (grant.type !== null && declared !== grant.type) {
      throw new UnsupportedMediaType(`This address takes ${grant.type}.`, {}, { Accept: grant.type });
    }
    if (bytes.length > grant.maxBytes) throw new PayloadTooLarge(`This address takes up to ${grant.maxBytes} bytes.`);
    await this.uploads.receive(grant, bytes, declared);
  }
}
