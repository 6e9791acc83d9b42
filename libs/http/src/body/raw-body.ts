import type { IncomingMessage } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { BadRequest, UnsupportedMediaType } from '@constancia/problem-json';
import { markHandler, RAW_CONTENT, type RawContentType, type RawFacts } from '../routes/route-facts.ts';
import type { Request } from '../request/request-state.ts';

const received = createParamDecorator(
  ({ contentTypes, optional }: Omit<RawFacts, 'limitBytes'>, context: ExecutionContext) => {
    const { body, headers } = context.switchToHttp().getRequest<Request>();
    if (Buffer.isBuffer(body) && body.length > 0) return body;
    if (optional) return undefined;
    const what = RAW_CONTENT[contentTypes[0] as RawContentType];
    if (headers['content-type'] === undefined) {
      throw new UnsupportedMediaType(`Send ${what} as ${contentTypes.join(' or ')}.`);
    }
    throw new BadRequest(`The body is empty: send the bytes of ${what}.`);
  },
);

/**
 * The raw body of a request as a Buffer. The route then takes that content type, or those, only (else 415), up to `limitBytes` (else 413, also
 * without a Content-Length); an empty one is 400, or undefined when `optional`. What the bytes are is for the use case.
 */
export function RawBody(
  contentType: RawContentType | readonly RawContentType[],
  limitBytes: number,
  { optional = false } = {},
): ParameterDecorator {
  const contentTypes = typeof contentType === 'string' ? [contentType] : contentType;
  return (target, property, index) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    markHandler(descriptor.value as object, { raw: { contentTypes, limitBytes, optional } });
    ApiConsumes(...contentTypes)(target, property as string, descriptor);
    ApiBody({ required: !optional, schema: { type: 'string', format: 'binary', maxLength: limitBytes } })(
      target,
      property as string,
      descriptor,
    );
    received({ contentTypes, optional })(target, property, index);
  };
}

const arriving = createParamDecorator((_: unknown, context: ExecutionContext): IncomingMessage | undefined => {
  return context.switchToHttp().getRequest<Request>().body as IncomingMessage | undefined;
});

/**
 * The body of a request as a stream of Buffers, for files that are not held in memory. The route takes those content types only (else 415);
 * one whose Content-Length is over `limitBytes` is 413. The handler counts the bytes of any other, and what it does not read is thrown away.
 */
export function StreamedBody(contentTypes: readonly RawContentType[], limitBytes: number): ParameterDecorator {
  return (target, property, index) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    markHandler(descriptor.value as object, { raw: { contentTypes, limitBytes, optional: false, streamed: true } });
    ApiConsumes(...contentTypes)(target, property as string, descriptor);
    ApiBody({ required: true, schema: { type: 'string', maxLength: limitBytes } })(
      target,
      property as string,
      descriptor,
    );
    arriving()(target, property, index);
  };
}
