import { ValidationError } from '@constancia/problem-json';
import { ApiHeader } from '@nestjs/swagger';
import { ATTACHMENT_ENDINGS, type AttachmentType } from '../case-records/attachment-types.ts';

const MAX_LENGTH = 200;
/** Of a character that takes four bytes, each written as %XX. */
const ENCODED_PER_CHARACTER = 12;
/** Control and format characters (those that turn the direction of a text among them), and what separates folders. */
const UNFIT = /[\p{C}/\\]/u;

/** Documents the header X-File-Name: a name may be a person's, and addresses are logged. */
export const ApiFileName = (): MethodDecorator =>
  ApiHeader({
    name: 'X-File-Name',
    required: true,
    description:
      `The name of the file, UTF-8 percent-encoded (\`encodeURIComponent\`): at most ${MAX_LENGTH} characters, with an ending that fits ` +
      'its type (.pdf, .png, .jpg, .jpeg). It is kept sealed.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH * ENCODED_PER_CHARACTER },
    example: 'c%C3%A9dula.pdf',
  });

/** The name that the header X-File-Name gives a file of this type. Throws ValidationError. */
export function fileNameOf(header: string | undefined, type: AttachmentType): string {
  const name = decoded(header ?? '')
    ?.normalize('NFC')
    .trim();
  if (!name) throw refused('Send the name of the file, UTF-8 percent-encoded.');
  if ([...name].length > MAX_LENGTH) throw refused(`The name has more than ${MAX_LENGTH} characters: shorten it.`);
  if (UNFIT.test(name)) throw refused('Give a name without folders, control characters and invisible characters.');
  const endings: readonly string[] = ATTACHMENT_ENDINGS[type];
  if (endings.some((ending) => name.length > ending.length && name.toLowerCase().endsWith(ending))) return name;
  throw refused(`The name of a file of type ${type} ends with ${endings.join(' or ')}.`);
}

/** Undefined: it is not percent-encoded. */
function decoded(header: string): string | undefined {
  if (/[^\x20-\x7e]/.test(header)) return undefined;
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}

function refused(detail: string): ValidationError {
  return new ValidationError([{ pointer: '/headers/X-File-Name', code: 'wrong_format', detail }]);
}
