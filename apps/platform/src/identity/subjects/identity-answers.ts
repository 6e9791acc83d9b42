import { Idempotency } from '@constancia/idempotency';
import { SecretBox } from '@constancia/kernel';
import { Injectable } from '@nestjs/common';
import { SubjectKeys } from './subject-keys.ts';

/** The stored answers of the schema identity, sealed with the keys of the subjects whom they are about. */
@Injectable()
export class IdentityAnswers extends Idempotency {
  constructor(secrets: SecretBox, keys: SubjectKeys) {
    super('identity', secrets, (tx, tenantId, subjectId) => {
      if (tx === null) throw new Error('an answer about a subject is read in a transaction');
      return keys.of(tx, tenantId, subjectId);
    });
  }
}
