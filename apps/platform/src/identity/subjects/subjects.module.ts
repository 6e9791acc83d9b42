import { Module } from '@nestjs/common';
import { ListSubjects } from './list-subjects.ts';
import { ShowSubject } from './show-subject.ts';

@Module({ controllers: [ListSubjects, ShowSubject] })
export class SubjectsModule {}
