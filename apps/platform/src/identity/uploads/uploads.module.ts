import { Module } from '@nestjs/common';
import { PresignUpload } from './presign-upload.ts';
import { ReceiveUpload } from './receive-upload.ts';

@Module({ controllers: [PresignUpload, ReceiveUpload] })
export class UploadsModule {}
