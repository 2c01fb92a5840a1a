import { Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { TodayResponse } from '@nivida/contract/desk/today';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { DeskController } from '../desk-controller.ts';
import { TodayService } from './today.service.ts';

@DeskController('today')
export class TodayController {
  constructor(private readonly today: TodayService) {}

  /** What waits for the caller's role. */
  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: TodayResponse })
  async list(@CurrentStaff() { role }: StaffMember): Promise<TodayResponse> {
    return { entries: await this.today.list(role) };
  }
}
