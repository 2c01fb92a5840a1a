import { Body, Get, Param } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import { ApprovalListResponse, DecisionResponse } from '@nivida/contract/desk/approvals';
import type { OperatorAct } from '../../audit/record-act.ts';
import { CurrentStaff, type StaffMember, StaffOnly } from '../../auth/staff/staff.guard.ts';
import { CurrentAct, DeskAct } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';
import { ApprovalsService } from './approvals.service.ts';

@DeskController('approvals')
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  /** What waits for a second person, oldest first. */
  @Get()
  @StaffOnly('support')
  @ApiOkResponse({ standardSchema: ApprovalListResponse })
  async list(@CurrentStaff() { id: ownId }: StaffMember): Promise<ApprovalListResponse> {
    const open = await this.approvals.listOpen();
    return {
      rows: open.map(({ proposedById, proposedAt, expiresAt, ...proposal }) => ({
        ...proposal,
        isOwn: proposedById === ownId,
        proposedAt: proposedAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      })),
    };
  }

  /** Confirms an act of another person and does it. */
  @DeskAct(':id/confirm')
  @StaffOnly('owner', 'fresh')
  @ApiOkResponse({ standardSchema: DecisionResponse })
  async confirm(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DecisionResponse> {
    const { subject } = await this.approvals.confirm(id, act);
    return { subject };
  }

  @DeskAct(':id/refuse')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DecisionResponse })
  async refuse(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DecisionResponse> {
    const { subject } = await this.approvals.refuse(id, act);
    return { subject };
  }

  @DeskAct(':id/withdraw')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DecisionResponse })
  async withdraw(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<DecisionResponse> {
    const { subject } = await this.approvals.withdraw(id, act);
    return { subject };
  }
}
