import { ApiPublicProblems, Holder, RawBody, SignedAddress } from '@constancia/http';
import { PayloadTooLarge, UnsupportedMediaType } from '@constancia/problem-json';
import { applyDecorators, Controller, Headers, HttpCode, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import { PICTURE_TYPES } from './asset.entity.ts';
import { declaredPictureType } from './picture-type.ts';
import { MOST_BYTES } from './presigns.ts';
import { UPLOAD_ADDRESS, type UploadGrant } from './upload-address.ts';
import { Uploads } from './uploads.ts';

/** Opaque: presign-upload writes it, nobody else can. */
const SIGNED_QUERY = applyDecorators(
  ...Object.entries({
    t: '^[0-9a-f-]{36}$',
    exp: '^[0-9]{1,12}$',
    max: '^[0-9]{1,12}$',
    type: '^(?:\\*|image/(?:jpeg|png|webp))$',
    sig: '^[A-Za-z0-9_-]{43}$',
  }).map(([name, pattern]) =>
    ApiQuery({
      name,
      required: false,
      description: 'As it stands in the address.',
      schema: { type: 'string', pattern },
    }),
  ),
);

/** PUT /uploads/{id}: the picture of a presigned upload. */
@Controller('uploads')
@ApiTags('Subjects')
export class ReceiveUpload {
  constructor(private readonly uploads: Uploads) {}

  @Put(':id')
  @HttpCode(204)
  @SignedAddress(UPLOAD_ADDRESS)
  @SIGNED_QUERY
  @ApiParam({ name: 'id', type: String, description: 'The whole address comes from presign-upload.' })
  @ApiOperation({
    operationId: 'receiveUpload',
    summary: 'Upload a picture to a presigned address',
    description:
      'PUT the bytes with their Content-Type to `upload_url` as it is. 401: expired or altered. 409: it has its picture already, or is ' +
      'receiving it. 413: too many bytes or pixels. 415: another type than announced, or other bytes than the type says. 422: damaged.',
  })
  @ApiNoContentResponse({ description: 'Kept.' })
  @ApiPublicProblems(
    'bad-request',
    'unauthorized',
    'tenant-suspended',
    'not-found',
    'state-conflict',
    'payload-too-large',
    'unsupported-media-type',
    'unprocessable-entity',
    'dependency-unavailable',
  )
  async handle(
    @Holder() grant: UploadGrant,
    @Headers('content-type') contentType: string | undefined,
    @RawBody(PICTURE_TYPES, MOST_BYTES) bytes: Buffer,
  ): Promise<void> {
    const declared = declaredPictureType(contentType);
    if (grant.type !== null && declared !== grant.type) {
      throw new UnsupportedMediaType(`This address takes ${grant.type}.`, {}, { Accept: grant.type });
    }
    if (bytes.length > grant.maxBytes) throw new PayloadTooLarge(`This address takes up to ${grant.maxBytes} bytes.`);
    await this.uploads.receive(grant, bytes, declared);
  }
}
