import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { BadRequest, UnsupportedMediaType } from '@constancia/problem-json';
import { markHandler } from './route-facts.ts';
import type { Request } from './request-state.ts';

/** Bodies that are taken as they are, and how a problem names them. */
export const RAW_CONTENT = {
  'application/pdf': 'the PDF',
  'text/csv': 'the CSV file',
} as const;
export type RawContentType = keyof typeof RAW_CONTENT;

const received = createParamDecorator(
  ({ contentType, optional }: { contentType: RawContentType; optional: boolean }, context: ExecutionContext) => {
    const { body, headers } = context.switchToHttp().getRequest<Request>();
    if (Buffer.isBuffer(body) && body.length > 0) return body;
    if (optional) return undefined;
    const what = RAW_CONTENT[contentType];
    if (headers['content-type'] === undefined) throw new UnsupportedMediaType(`Send ${what} as ${contentType}.`);
    throw new BadRequest(`The body is empty: send the bytes of ${what}.`);
  },
);

/**
 * The raw body of a request as a Buffer. The route then takes that content type only (else 415), up to `limitBytes` (else 413, also
 * without a Content-Length); an empty one is 400, or undefined when `optional`. What the bytes are is for the use case.
 */
export function RawBody(
  contentType: RawContentType,
  limitBytes: number,
  { optional = false } = {},
): ParameterDecorator {
  return (target, property, index) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    markHandler(descriptor.value as object, { raw: { contentType, limitBytes, optional } });
    ApiConsumes(contentType)(target, property as string, descriptor);
    ApiBody({ required: !optional, schema: { type: 'string', format: 'binary', maxLength: limitBytes } })(
      target,
      property as string,
      descriptor,
    );
    received({ contentType, optional })(target, property, index);
  };
}
