import { ValidationError } from '@constancia/problem-json';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Principal } from './tenant.ts';

const MAX_LENGTH = 128;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** Documents the header X-Actor. */
export function ApiActor(): MethodDecorator {
  return applyDecorators(
    ApiHeader({
      name: 'X-Actor',
      required: false,
      description:
        'Who does this, by the name that you have for your analyst (at most 128 characters, UTF-8): written to the timeline. ' +
        'Without it the prefix of the API key is; a member acts under their own name, and the header is ignored. Four eyes need two different names.',
      schema: { type: 'string', maxLength: MAX_LENGTH },
    }),
  );
}

/** Who acts: the member; of a key what X-Actor says, else its prefix. */
export function actorOf(header: string | undefined, principal: Principal): string {
  if (principal.kind === 'member') return principal.name;
  const actor = utf8(header ?? '').trim();
  if (actor === '') return principal.prefix ?? principal.name;
  if ([...actor].length <= MAX_LENGTH && !CONTROL.test(actor)) return actor;
  const detail = `Give a name of at most ${MAX_LENGTH} characters, without control characters.`;
  throw new ValidationError([{ pointer: '/headers/X-Actor', code: 'wrong_format', detail }]);
}

/** Header bytes arrive as Latin-1; most clients send UTF-8. */
function utf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
