import { Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { StaffListResponse } from '@nivida/contract/desk/audit-log';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { StaffService } from '../../auth/staff/staff.service.ts';
import { DeskController } from '../desk-controller.ts';

@DeskController('staff')
export class StaffListController {
  constructor(private readonly staff: StaffService) {}

  @Get()
  @StaffOnly('owner')
  @ApiOkResponse({ standardSchema: StaffListResponse })
  async list(): Promise<StaffListResponse> {
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
