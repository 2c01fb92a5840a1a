import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { StaffGuard } from '../auth/staff/staff.guard.ts';

/** A controller of calls below /api/desk. Each of its routes names a role with `StaffOnly`; without it no one may call it. */
export const DeskController = (path = '') =>
  applyDecorators(Controller(`api/desk/${path}`), UseGuards(StaffGuard), ApiBearerAuth(), ApiTags('desk'));
