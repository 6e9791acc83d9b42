import { RawBody } from './raw-body.ts';

/** The raw bytes of an application/pdf body, as RawBody says. Whether the bytes are a PDF is for the use case. */
export function RawPdfBody(limitBytes: number, options: { optional?: boolean } = {}): ParameterDecorator {
  return RawBody('application/pdf', limitBytes, options);
}
