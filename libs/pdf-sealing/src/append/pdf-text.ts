/** Text as a PDF string: plain where it is ASCII, else UTF-16 with a byte order mark, in hexadecimal (ISO 32000-1, 7.9.2.2). */
export function asPdfText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, '\\$&')})`;
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex').toUpperCase()}>`;
}
