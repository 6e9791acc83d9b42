/** One line that PostgreSQL, a mail's header and a PDF take as it is: no control characters, no line breaks, no half of a pair. */
export const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+$/u;

export const ONE_LINE_MESSAGE = 'must be one line without control characters';
