import { Module } from '@nestjs/common';
import { PdfsModule } from '../pdfs.module.ts';
import { Circuits } from './circuits.ts';
import { CloneCircuit } from './clone-circuit.ts';
import { CreateCircuit } from './create-circuit.ts';
import { DiscardCircuit } from './discard-circuit.ts';
import { DownloadBasePdf } from './download-base-pdf.ts';
import { GetCircuit } from './get-circuit.ts';
import { ListCircuits } from './list-circuits.ts';
import { PublishCircuit } from './publish-circuit.ts';
import { PutDefinition } from './put-definition.ts';
import { UploadBasePdf } from './upload-base-pdf.ts';

@Module({
  imports: [PdfsModule],
  controllers: [
    CreateCircuit,
    ListCircuits,
    GetCircuit,
    UploadBasePdf,
    DownloadBasePdf,
    PutDefinition,
    PublishCircuit,
    CloneCircuit,
    DiscardCircuit,
  ],
  providers: [Circuits],
  exports: [Circuits],
})
export class CircuitsModule {}
