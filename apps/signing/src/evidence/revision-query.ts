import { ApiOptional } from '@constancia/http';
import { IsIn } from 'class-validator';

/** Which file of a sealed document. */
export class RevisionQuery {
  @ApiOptional({
    default: 'sealed',
    description:
      '`sealed`: the file that the events announced, which never changes. `latest`: the same file with long-term evidence behind it, as ' +
      'far as there is some (see "Long-term evidence" in the guide to verification).',
  })
  @IsIn(['sealed', 'latest'])
  revision?: 'sealed' | 'latest' = 'sealed';
}
