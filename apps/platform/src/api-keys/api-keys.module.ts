import { Module } from '@nestjs/common';
import { ChangeApiKey } from './change-api-key.ts';
import { CreateApiKey } from './create-api-key.ts';
import { DeleteApiKey } from './delete-api-key.ts';
import { KeyRotation } from './key-rotation.ts';
import { ListApiKeys } from './list-api-keys.ts';
import { RotateKeyById } from './rotate-key-by-id.ts';
import { ShowApiKey } from './show-api-key.ts';

@Module({
  controllers: [CreateApiKey, ListApiKeys, ShowApiKey, ChangeApiKey, RotateKeyById, DeleteApiKey],
  providers: [KeyRotation],
  exports: [KeyRotation],
})
export class ApiKeysModule {}
