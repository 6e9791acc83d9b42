import type { Acting } from '@constancia/contracts';
import { ValidationError } from '@constancia/problem-json';
import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Principal } from './principal.ts';

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
        'Without it the prefix of the API key is; a member acts under their own name, and the header is ignored. Four eyes need two people: members, or names that the setting trusted_actor vouches for.',
      schema: { type: 'string', maxLength: MAX_LENGTH },
    }),
  );
}

/** Who acts: the member; of a key the person that X-Actor names, else the key. */
export function actingOf(header: string | undefined, { kind, id, name, prefix }: Principal): Acting {
  if (kind === 'member') return { actor: name, by: { kind, id, name } };
  const person = utf8(header ?? '').trim();
  if (person === '') return { actor: prefix ?? name, by: { kind, id, name } };
  if ([...person].length <= MAX_LENGTH && !CONTROL.test(person)) {
    return { actor: person, by: { kind, id, name, on_behalf_of: person } };
  }
  const detail = `Give a name of at most ${MAX_LENGTH} characters, without control characters.`;
  throw new ValidationError([{ pointer: '/headers/X-Actor', code: 'wrong_format', detail }]);
}

/** The line that trails show of who acts. */
export function actorOf(header: string | undefined, principal: Principal): string {
  return actingOf(header, principal).actor;
}

/** Header bytes arrive as Latin-1; most clients send UTF-8. */
function utf8(header: string): string {
  const text = Buffer.from(header, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? header : text;
}
