import { Module } from '@nestjs/common';
import { ConfigurationRoutes } from './configuration-routes.ts';

@Module({ controllers: [ConfigurationRoutes] })
export class ConfigurationModule {}
