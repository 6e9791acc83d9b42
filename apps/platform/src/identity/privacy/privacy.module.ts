import { Module } from '@nestjs/common';
import { EraseSubject } from './erase-subject.ts';
import { IdentitySettingsRoutes } from './settings-controllers.ts';
import { ShowErasure } from './show-erasure.ts';

@Module({ controllers: [EraseSubject, ShowErasure, IdentitySettingsRoutes] })
export class PrivacyModule {}
