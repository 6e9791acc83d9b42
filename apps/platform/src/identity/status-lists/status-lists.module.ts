import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { TokenKeysModule } from '../token-keys/token-keys.module.ts';
import { SignedStatusLists } from './signed-status-lists.ts';
import { StatusListRoutes } from './status-list-routes.ts';

/** Whether credentials are still valid. */
@Module({
  imports: [IdentityStoreModule, TokenKeysModule],
  controllers: [StatusListRoutes],
  providers: [SignedStatusLists],
  exports: [SignedStatusLists],
})
export class StatusListsModule {}
