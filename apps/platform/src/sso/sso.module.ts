import { Module } from '@nestjs/common';
import { ConsoleModule } from '../console/console.module.ts';
import { DeleteSso } from './delete-sso.ts';
import { ProviderFetch } from './provider/provider-fetch.ts';
import { Provider } from './provider/provider.ts';
import { PutSso } from './put-sso.ts';
import { ShowSso } from './show-sso.ts';
import { SsoSettings } from './sso-settings.ts';
import { SsoSignInController } from './sso-sign-in.controller.ts';
import { SsoSignIn } from './sso-sign-in.ts';

/** Single sign-on of members with the tenant's own OpenID provider. */
@Module({
  imports: [ConsoleModule],
  controllers: [PutSso, ShowSso, DeleteSso, SsoSignInController],
  providers: [SsoSettings, SsoSignIn, Provider, ProviderFetch],
})
export class SsoModule {}
