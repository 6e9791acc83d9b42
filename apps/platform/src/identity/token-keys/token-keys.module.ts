import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { RotateTokenKeys } from './rotate-token-keys.ts';
import { TokenKeys } from './token-keys.ts';

/** The keys that our tokens are signed with. */
@Module({ imports: [IdentityStoreModule], providers: [TokenKeys, RotateTokenKeys], exports: [TokenKeys] })
export class TokenKeysModule {}
