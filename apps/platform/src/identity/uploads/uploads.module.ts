import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { AssetRemoval } from './asset-removal.ts';
import { Assets } from './assets.ts';
import { DirectIntake } from './direct-intake.ts';
import { PictureCleaner } from './picture-cleaner.ts';
import { PictureIntake } from './picture-intake.ts';
import { PresignUpload } from './presign-upload.ts';
import { Presigns } from './presigns.ts';
import { ReceiveUpload } from './receive-upload.ts';
import { ReceivedPictures } from './received-pictures.ts';
import { UploadAddresses } from './upload-address.ts';
import { Uploads } from './uploads.ts';

/** The pictures of subjects, and the child processes that decode them. */
@Module({
  imports: [SubjectsModule],
  controllers: [PresignUpload, ReceiveUpload],
  providers: [
    {
      provide: PictureCleaner,
      inject: [PlatformConfig],
      useFactory: ({ pictureProcesses, pictureMemoryMb, pictureDeadlineMs }: PlatformConfig) =>
        new PictureCleaner({
          processes: pictureProcesses,
          memoryMb: pictureMemoryMb,
          deadlineMs: pictureDeadlineMs,
        }),
    },
    {
      provide: UploadAddresses,
      inject: [PlatformConfig],
      useFactory: ({ apiUrl, secretsKey }: PlatformConfig) => new UploadAddresses(apiUrl, secretsKey),
    },
    PictureIntake,
    DirectIntake,
    Assets,
    AssetRemoval,
    Presigns,
    Uploads,
    ReceivedPictures,
  ],
  exports: [PictureCleaner, UploadAddresses, DirectIntake, Assets, AssetRemoval, ReceivedPictures],
})
export class UploadsModule implements OnApplicationShutdown {
  constructor(private readonly cleaner: PictureCleaner) {}

  onApplicationShutdown(): Promise<void> {
    return this.cleaner.close();
  }
}
