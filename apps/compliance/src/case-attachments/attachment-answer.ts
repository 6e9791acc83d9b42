import { FILE_NAME_HEADER } from '@constancia/http';
import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ATTACHMENT_BYTES, ATTACHMENT_TYPES } from '../case-records/attachment-types.ts';
import type { OpenFile } from './stored-attachments.ts';

/** A browser that shows the file all the same runs nothing of it. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Documents the answer with the bytes of an attachment. */
export const ApiAttachmentFile = (): MethodDecorator =>
  applyDecorators(
    ApiOkResponse({
      description: 'The bytes as they were sent.',
      content: Object.fromEntries(
        ATTACHMENT_TYPES.map((type) => [
          type,
          { schema: { type: 'string', format: 'binary', maxLength: ATTACHMENT_BYTES } },
        ]),
      ),
      headers: { 'Content-Disposition': FILE_NAME_HEADER },
    }),
  );

/** The file, to be saved and not to be shown by the browser. Answers of the API are not kept in caches, and their type is not guessed. */
export function attachmentFile({ attachment, bytes }: OpenFile, reply: FastifyReply): StreamableFile {
  void reply.header('Content-Security-Policy', POLICY);
  return new StreamableFile(bytes, {
    type: attachment.media_type,
    length: bytes.length,
    disposition: `attachment; filename*=UTF-8''${extValue(attachment.name)}`,
  });
}

/** As RFC 8187 writes a text in a header. */
function extValue(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
