import { Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { DeskFirmResponse, DeskFirmsQuery, DeskFirmsResponse } from '@nivida/contract/desk/firms';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { DeskController } from '../desk-controller.ts';
import { DeskFirmsService } from './desk-firms.service.ts';

@DeskController('firms')
export class DeskFirmsController {
  constructor(private readonly firms: DeskFirmsService) {}

  /** The firms of a search; without one the newest. */
  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskFirmsResponse })
  async list(@Query({ schema: DeskFirmsQuery }) { find }: DeskFirmsQuery): Promise<DeskFirmsResponse> {
    return { rows: await this.firms.search(find) };
  }

  @Get(':id')
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: DeskFirmResponse })
  show(@Param('id') id: string): Promise<DeskFirmResponse> {
    return this.firms.read(id);
  }
}
