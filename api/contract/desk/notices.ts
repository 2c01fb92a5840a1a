/** What operators tell all users, at the desk. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { Incident, LanguageTexts, MAX_NOTICE_LETTERS, NOTICE_TONES, SiteNotice } from '../site/status.ts';
import { ActRequest } from './act.ts';

const WrittenTexts = v.config(LanguageTexts, {
  message: () => t`Write 3 to ${{ max: MAX_NOTICE_LETTERS }} letters in each language that you use`,
});
const instant = v.pipe(v.string(), v.isoTimestamp());

export const PublishNoticeRequest = v.object({
  ...ActRequest.entries,
  texts: WrittenTexts,
  tone: v.picklist(NOTICE_TONES),
  starts_at: v.optional(instant),
  ends_at: v.optional(instant),
});
export type PublishNoticeRequest = v.InferOutput<typeof PublishNoticeRequest>;

/** Opens or updates an incident, or ends it with a last word. */
export const IncidentRequest = v.object({ ...ActRequest.entries, texts: WrittenTexts });
export type IncidentRequest = v.InferOutput<typeof IncidentRequest>;

export const DeskNoticeList = v.object({ rows: v.array(SiteNotice) });
export const DeskIncidentList = v.object({ rows: v.array(Incident) });

/** The id of what an act has made or changed. */
export const ChangedId = v.object({ id: v.number() });
