import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { StatusListsModule } from '../status-lists/status-lists.module.ts';
import { TokenKeysModule } from '../token-keys/token-keys.module.ts';
import { WalletModule } from '../wallet/wallet.module.ts';
import { AppRequests } from './app-requests.ts';
import { AppResponses } from './app-responses.ts';

/** Asking wallet apps for credentials, and reading what they answer (OpenID4VP). */
@Module({
  imports: [IdentityStoreModule, StatusListsModule, TokenKeysModule, WalletModule],
  providers: [AppRequests, AppResponses],
  exports: [AppRequests, AppResponses],
})
export class OpenId4VpModule {}
