import { Module } from '@nestjs/common';
import { CloneCircuit } from './clone-circuit.ts';
import { CreateCircuit } from './create-circuit.ts';
import { DownloadBasePdf } from './download-base-pdf.ts';
import { GetCircuit } from './get-circuit.ts';
import { ListCircuits } from './list-circuits.ts';
import { PublishCircuit } from './publish-circuit.ts';
import { PutDefinition } from './put-definition.ts';
import { UploadBasePdf } from './upload-base-pdf.ts';

@Module({
  controllers: [
    CreateCircuit,
    ListCircuits,
    GetCircuit,
    UploadBasePdf,
    DownloadBasePdf,
    PutDefinition,
    PublishCircuit,
    CloneCircuit,
  ],
})
export class CircuitsModule {}
