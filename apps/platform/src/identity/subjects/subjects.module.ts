import { Module } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { DocumentDigest } from './document-digest.ts';
import { IdentityAnswers } from './identity-answers.ts';
import { ListSubjects } from './list-subjects.ts';
import { ShowSubject } from './show-subject.ts';
import { SubjectKeys } from './subject-keys.ts';
import { SubjectRecords } from './subject-records.ts';
import { Subjects } from './subjects.ts';

@Module({
  imports: [IdentityStoreModule],
  controllers: [ListSubjects, ShowSubject],
  providers: [
    {
      provide: DocumentDigest,
      inject: [PlatformConfig],
      useFactory: ({ secretsKey }: PlatformConfig) => new DocumentDigest(secretsKey),
    },
    SubjectKeys,
    Subjects,
    SubjectRecords,
    IdentityAnswers,
  ],
  exports: [IdentityStoreModule, DocumentDigest, SubjectKeys, Subjects, SubjectRecords, IdentityAnswers],
})
export class SubjectsModule {}
