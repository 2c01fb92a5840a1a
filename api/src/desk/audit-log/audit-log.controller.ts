import { Get, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { AuditLogQuery, AuditLogResponse, StaffListResponse } from '@nivida/contract/desk/audit-log';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { StaffService } from '../../auth/staff/staff.service.ts';
import { DeskController } from '../desk-controller.ts';
import { AuditLogService } from './audit-log.service.ts';

@DeskController()
export class AuditLogController {
  constructor(
    private readonly auditLog: AuditLogService,
    private readonly staff: StaffService,
  ) {}

  /** A page of 50 audit events, newest first. */
  @Get('audit')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: AuditLogResponse })
  list(@Query({ schema: AuditLogQuery }) filter: AuditLogQuery): Promise<AuditLogResponse> {
    return this.auditLog.list(filter);
  }

  @Get('staff')
  @StaffOnly('owner')
  @ApiOkResponse({ standardSchema: StaffListResponse })
  async listStaff(): Promise<StaffListResponse> {
    const members = await this.staff.list();
    return {
      rows: members.map(({ userId: id, grantedAt, ...member }) => ({
        id,
        ...member,
        grantedAt: grantedAt.toISOString(),
      })),
    };
  }
}
