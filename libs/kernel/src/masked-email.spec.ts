import { expect, it } from 'vitest';
import { maskedEmail } from './masked-email.ts';

it.each([
  ['ana.perez@correo.example.co', 'a***@c***.co'],
  ['a@b.co', 'a***@b***.co'],
  ['ñandú@españa.example', 'ñ***@e***.example'],
  ['root@localhost', 'r***@l***'],
])('a masked address shows no more than this: %s', (email, masked) => expect(maskedEmail(email)).toBe(masked));
