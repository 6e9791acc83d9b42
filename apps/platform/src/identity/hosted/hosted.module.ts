import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { CaptureTokens } from './capture-tokens.ts';

/** What makes a session one that is taken on the capture page. */
@Module({ imports: [IdentityStoreModule], providers: [CaptureTokens], exports: [CaptureTokens] })
export class HostedModule {}
