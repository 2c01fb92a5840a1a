import { Body, Get, Param } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { ActRequest } from '@nivida/contract/desk/act';
import {
  ChangedId,
  DeskIncidentList,
  DeskNoticeList,
  IncidentRequest,
  PublishNoticeRequest,
} from '@nivida/contract/desk/notices';
import type * as v from 'valibot';
import type { OperatorAct } from '../../audit/record-act.ts';
import { StaffOnly } from '../../auth/staff/staff.guard.ts';
import { IncidentsService } from '../../site-status/incidents.service.ts';
import { SiteNoticesService } from '../../site-status/site-notices.service.ts';
import { CurrentAct, DeskAct } from '../acts/act.interceptor.ts';
import { DeskController } from '../desk-controller.ts';

type Changed = v.InferOutput<typeof ChangedId>;
const readInstant = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

@DeskController()
export class DeskNoticesController {
  constructor(
    private readonly notices: SiteNoticesService,
    private readonly incidents: IncidentsService,
  ) {}

  @Get('notices')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskNoticeList })
  async list(): Promise<v.InferOutput<typeof DeskNoticeList>> {
    return { rows: await this.notices.list() };
  }

  @DeskAct('notices')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedId })
  async publish(
    @Body({ schema: PublishNoticeRequest }) notice: PublishNoticeRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<Changed> {
    const { texts, tone, starts_at, ends_at } = notice;
    const span = { startsAt: readInstant(starts_at), endsAt: readInstant(ends_at) };
    return { id: await this.notices.publish({ texts, tone, ...span }, act) };
  }

  @DeskAct('notices/:id/end')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedId })
  async end(
    @Param('id') id: string,
    @Body({ schema: ActRequest }) _body: ActRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<Changed> {
    return { id: await this.notices.end(readNumber(id), act) };
  }

  @Get('incidents')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: DeskIncidentList })
  async listIncidents(): Promise<v.InferOutput<typeof DeskIncidentList>> {
    return { rows: await this.incidents.list() };
  }

  @DeskAct('incidents')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedId })
  async open(
    @Body({ schema: IncidentRequest }) { texts }: IncidentRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<Changed> {
    return { id: await this.incidents.open(texts, act) };
  }

  @DeskAct('incidents/:id/update')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedId })
  async update(
    @Param('id') id: string,
    @Body({ schema: IncidentRequest }) { texts }: IncidentRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<Changed> {
    await this.incidents.update(readNumber(id), texts, act);
    return { id: readNumber(id) };
  }

  @DeskAct('incidents/:id/close')
  @StaffOnly('operator')
  @ApiOkResponse({ standardSchema: ChangedId })
  async close(
    @Param('id') id: string,
    @Body({ schema: IncidentRequest }) { texts }: IncidentRequest,
    @CurrentAct() act: OperatorAct,
  ): Promise<Changed> {
    await this.incidents.close(readNumber(id), texts, act);
    return { id: readNumber(id) };
  }
}

/** The number of an address; 0, which is no row, for anything else. */
const readNumber = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);
