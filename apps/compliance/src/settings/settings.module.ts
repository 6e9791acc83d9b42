import { Module } from '@nestjs/common';
import { PutSettings } from './put-settings.ts';
import { ShowSettings } from './show-settings.ts';

@Module({ controllers: [ShowSettings, PutSettings] })
export class SettingsModule {}
