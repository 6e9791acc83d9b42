import { Module } from '@nestjs/common';
import { AuditEntries } from './audit-entries.ts';
import { ShowAuditLog } from './show-audit-log.ts';

@Module({ controllers: [ShowAuditLog], providers: [AuditEntries] })
export class AuditLogModule {}
