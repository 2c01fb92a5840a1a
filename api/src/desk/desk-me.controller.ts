import { Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { DeskMeResponse } from '@nivida/contract/desk/me';
import { CurrentStaff, type StaffMember, StaffOnly } from '../auth/staff/staff.guard.ts';
import { DeskController } from './desk-controller.ts';

@DeskController('me')
export class DeskMeController {
  /** The only call of the desk that needs no passkey: the desk asks it whether to ask for one. */
  @Get()
  @StaffOnly('support', 'none')
  @ApiOkResponse({ standardSchema: DeskMeResponse })
  read(@CurrentStaff() { username, role, isDeskOpen, deskClosesAt }: StaffMember): DeskMeResponse {
    return { username, role, isOpen: isDeskOpen, closesAt: deskClosesAt?.toISOString() ?? null };
  }
}
