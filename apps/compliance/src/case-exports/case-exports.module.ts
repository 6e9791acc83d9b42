import { Module } from '@nestjs/common';
import { CaseExports } from './case-export.ts';
import { ExportCases } from './export-cases.ts';
import { ListExports } from './list-exports.ts';

@Module({
  controllers: [ExportCases, ListExports],
  providers: [CaseExports],
  exports: [CaseExports],
})
export class CaseExportsModule {}
