import { Module } from '@nestjs/common';
import { EraseSubject } from '../privacy/erase-subject.ts';
import { IdentitySettingsRoutes } from '../privacy/settings-controllers.ts';
import { ListSubjects } from './list-subjects.ts';
import { ShowSubject } from './show-subject.ts';

@Module({ controllers: [ListSubjects, ShowSubject, EraseSubject, IdentitySettingsRoutes] })
export class SubjectsModule {}
