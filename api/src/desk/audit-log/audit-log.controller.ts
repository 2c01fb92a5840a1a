import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditLogQuery, AuditLogResponse } from '@nivida/contract/desk/audit-log';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { DeskController } from '../desk-controller.ts';
import { AuditLogService } from './audit-log.service.ts';

@DeskController('audit')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogService) {}

  /** A page of 50 audit events, newest first. */
  @Get()
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: AuditLogResponse })
  list(@Query({ schema: AuditLogQuery }) filter: AuditLogQuery): Promise<AuditLogResponse> {
    return this.auditLog.list(filter);
  }
}
