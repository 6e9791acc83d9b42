import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { BadRequest, UnsupportedMediaType } from '@constancia/problem-json';
import { markHandler } from './route-facts.ts';
import type { Request } from './request-state.ts';

const received = createParamDecorator((optional: boolean, context: ExecutionContext): Buffer | undefined => {
  const { body, headers } = context.switchToHttp().getRequest<Request>();
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  if (optional) return undefined;
  if (headers['content-type'] === undefined) throw new UnsupportedMediaType('Send the PDF as application/pdf.');
  throw new BadRequest('The body is empty: send the bytes of the PDF.');
});

/**
 * The raw body of a request as a Buffer. The route then takes application/pdf only (else 415), up to `limitBytes` (else 413, also
 * without a Content-Length); an empty one is 400, or undefined when `optional`. Whether the bytes are a PDF is for the use case.
 */
export function RawPdfBody(limitBytes: number, { optional = false } = {}): ParameterDecorator {
  return (target, property, index) => {
    const descriptor = Object.getOwnPropertyDescriptor(target, property as string) as PropertyDescriptor;
    markHandler(descriptor.value as object, { pdf: { limitBytes, optional } });
    ApiConsumes('application/pdf')(target, property as string, descriptor);
    ApiBody({ required: !optional, schema: { type: 'string', format: 'binary', maxLength: limitBytes } })(
      target,
      property as string,
      descriptor,
    );
    received(optional)(target, property, index);
  };
}
