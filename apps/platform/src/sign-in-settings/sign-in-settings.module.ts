import { Module } from '@nestjs/common';
import { PutSignInSettings } from './put-settings.ts';
import { ShowSignInSettings } from './show-settings.ts';
import { SignInSettings } from './sign-in-settings.ts';

/** What a tenant requires of the sign-in of its members. */
@Module({ controllers: [ShowSignInSettings, PutSignInSettings], providers: [SignInSettings] })
export class SignInSettingsModule {}
