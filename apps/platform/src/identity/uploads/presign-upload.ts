import {
  AllowBearerToken,
  ApiOptional,
  ApiProblems,
  type CredentialHolder,
  CurrentTenant,
  Holder,
  type Tenant,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { NotFound, Unauthorized, ValidationError } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { SessionBearer } from '../sessions/session-access.ts';
import { SESSION_TOKEN_PREFIX } from '../sessions/session-token.ts';
import { checkOwn, checkScope, isPersonBearer, PERSON_TOKEN_PREFIX } from '../subjects/person-bearer.ts';
import { ASSET_KINDS, type AssetKind, PICTURE_TYPES, type PictureType } from './asset.entity.ts';
import { storedUri } from './assets.ts';
import { MOST_BYTES, Presigns } from './presigns.ts';

export class PresignUploadBody {
  @ApiOptional({ enumName: 'AssetKind', description: 'What the picture shows.' })
  @IsIn(ASSET_KINDS)
  kind?: AssetKind;

  @ApiOptional({ enumName: 'AssetKind', description: 'The same; needs `content_type`.' })
  @IsIn(ASSET_KINDS)
  purpose?: AssetKind;

  @ApiOptional({ enumName: 'PictureType', description: 'The address then takes this type only.' })
  @IsIn(PICTURE_TYPES)
  content_type?: PictureType;

  @ApiOptional({
    description:
      'Bytes of the picture. With `content_type`, and where pictures are kept in S3, the address is one of S3 itself, and takes exactly ' +
      'so many.',
  })
  @IsInt()
  @Min(1)
  @Max(MOST_BYTES)
  content_length?: number;
}

export class PresignedUploadView {
  @ApiProperty({ format: 'uri', description: 'PUT the bytes here, with their Content-Type and no API key. Good once.' })
  upload_url: string;

  @ApiProperty({
    pattern: '^asset://ast_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    example: 'asset://ast_01jd8m3x5se9t8qzvwpk4c2d6h',
    description: 'What a step’s input names it by.',
  })
  stored_uri: string;

  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  @ApiProperty({ example: MOST_BYTES })
  max_bytes: number;
}

/** POST /v1/kyc/subjects/{id}/presign-upload: an address to send a picture to. */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class PresignUpload {
  constructor(private readonly presigns: Presigns) {}

  @Post(':id/presign-upload')
  @RequireScope('identity:write')
  @WhileClosing()
  @HttpCode(201)
  @AllowBearerToken(SESSION_TOKEN_PREFIX, PERSON_TOKEN_PREFIX)
  @ApiParam({ name: 'id', description: 'The `subject_id`.' })
  @ApiOperation({
    operationId: 'presignUpload',
    summary: 'Get an address to upload a picture to',
    description:
      'Takes `{kind}`, or `{purpose, content_type}`. JPEG, PNG or WebP of up to 10 MiB and 50 megapixels. The picture is decoded and ' +
      'written again (what a camera noted down of place and time is gone) and kept encrypted under the subject’s own key. A session ' +
      'token is good for the subject of its session, an access token of a person with the scope `session:write` for the person.',
  })
  @ApiCreatedResponse({ type: PresignedUploadView })
  @ApiProblems('validation-error', 'bad-request', 'unauthorized', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant | undefined,
    @Holder() holder: CredentialHolder | undefined,
    @Param('id') id: string,
    @Body() body: PresignUploadBody,
  ): Promise<PresignedUploadView> {
    const subjectId = uuidOf('sub', id);
    const tenantId = tenant?.id ?? (await tenantOfHolder(holder, subjectId));
    if (subjectId === null) throw new NotFound();
    const { asset, uploadUrl, maxBytes } = await this.presigns.create(tenantId, subjectId, {
      kind: kindOf(body),
      type: body.content_type ?? null,
      bytes: body.content_length ?? null,
    });
    return {
      upload_url: uploadUrl,
      stored_uri: storedUri(asset.id),
      expires_at: asset.expires_at.toISOString(),
      max_bytes: maxBytes,
    };
  }
}

/** A session token is good for its own subject alone, and so is a person's access token. */
async function tenantOfHolder(holder: CredentialHolder | undefined, subjectId: string | null): Promise<string> {
  if (isPersonBearer(holder)) {
    checkScope(holder, 'session:write');
    if (subjectId === null) throw new NotFound();
    await checkOwn(holder, subjectId, 'evidence_and_document');
    return holder.tenantId;
  }
  const bearer = holder as SessionBearer | undefined;
  if (bearer !== undefined && bearer.subjectId === subjectId) return bearer.tenantId;
  throw new Unauthorized('This session token is of another subject’s session.');
}

function kindOf({ kind, purpose, content_type }: PresignUploadBody): AssetKind {
  const fault = (member: string, code: string, detail: string) =>
    new ValidationError([{ pointer: `/${member}`, code, detail }]);
  if (kind !== undefined && purpose !== undefined) throw fault('purpose', 'not_allowed', 'Give kind or purpose.');
  if (purpose !== undefined && content_type === undefined) {
    throw fault('content_type', 'required', 'Add this member: purpose goes with it.');
  }
  const what = kind ?? purpose;
  if (what === undefined) throw fault('kind', 'required', 'Add this member.');
  return what;
}
