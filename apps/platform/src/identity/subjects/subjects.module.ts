import { Module } from '@nestjs/common';
import { EraseSubject } from '../privacy/erase-subject.ts';
import { ShowErasure } from '../privacy/show-erasure.ts';
import { IdentitySettingsRoutes } from '../privacy/settings-controllers.ts';
import { ListSubjects } from './list-subjects.ts';
import { ShowSubject } from './show-subject.ts';

@Module({ controllers: [ListSubjects, ShowSubject, EraseSubject, ShowErasure, IdentitySettingsRoutes] })
export class SubjectsModule {}
