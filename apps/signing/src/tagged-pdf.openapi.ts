import { shape } from '@constancia/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiProduces, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import { PDF_CONTENT } from './pdf-body.ts';

/** Documents an answer with a PDF and its entity tag: 200, and 304 to who names the tag in If-None-Match. */
export function ApiTaggedPdf(description: string, headers: ApiResponseOptions['headers']): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'An ETag that you hold: 304 when it is still the one.',
      schema: { type: 'string', ...shape.header },
    }),
    ApiProduces('application/pdf'),
    ApiOkResponse({ description, content: PDF_CONTENT, headers }),
    ApiResponse({ status: 304, description: 'You hold these bytes already.', headers }),
  );
}
