import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The downloads of today end now: rows that a wrong clock wrote for the evening do not use up the daily limit. */
export class DownloadsOfToday1764000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(canDownload("d.charged_at >= day_begins AND d.charged_at <= at + interval '5 seconds'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(canDownload('d.charged_at >= day_begins'));
  }
}

/** The function of migration 0008 with another condition for the downloads of today. */
const canDownload = (today: string): string => `
  -- Always one row. refusal is null when the download is allowed, else 'plan' (none that counts), 'state' (none that
  -- covers it), 'month' or 'day' (used up). is_free: it takes nothing from the plan. What was paid in a sandbox counts
  -- only where no real money is taken.
  CREATE OR REPLACE FUNCTION can_download(who uuid, asked integer, at timestamptz, is_live boolean)
  RETURNS TABLE (entitlement_id bigint, grant_kind text, refusal text, is_free boolean, used_in_month integer,
    per_month integer) LANGUAGE plpgsql STABLE AS $$
  DECLARE
    wanted record;
    plan record;
    day_begins timestamptz := date_trunc('day', at AT TIME ZONE 'Asia/Kolkata') AT TIME ZONE 'Asia/Kolkata';
    used_today integer;
  BEGIN
    SELECT nit_of(t.nit_key, t.id) AS nit, t.state INTO wanted FROM tender t WHERE t.id = asked;

    SELECT e.id INTO entitlement_id FROM entitlement e
      WHERE e.user_id = who AND e.kind = 'documents' AND e.nit = wanted.nit AND e.revoked_at IS NULL
        AND NOT (is_live AND e.is_test) ORDER BY e.id LIMIT 1;
    IF FOUND THEN
      grant_kind := 'documents'; is_free := true;
      RETURN NEXT; RETURN;
    END IF;

    grant_kind := 'plan'; is_free := false;
    SELECT e.id, e.plan_id = 'enterprise' OR wanted.state = ANY (e.states) AS covers,
        CASE e.plan_id WHEN 'basic' THEN 10 END AS per_month,
        CASE e.plan_id WHEN 'premium' THEN 200 WHEN 'enterprise' THEN 500 END AS per_day
      INTO plan FROM entitlement e
      WHERE e.user_id = who AND e.kind = 'plan' AND e.revoked_at IS NULL AND NOT (is_live AND e.is_test)
        AND e.starts_at <= at AND e.ends_at > at
      -- The largest of those that cover it.
      ORDER BY covers DESC, per_day DESC NULLS LAST, e.id LIMIT 1;
    IF NOT FOUND THEN
      refusal := 'plan';
      RETURN NEXT; RETURN;
    END IF;
    entitlement_id := plan.id; per_month := plan.per_month;

    SELECT count(*), count(*) FILTER (WHERE ${today}), coalesce(bool_or(d.nit = wanted.nit), false)
      INTO used_in_month, used_today, is_free FROM download d
      WHERE d.user_id = who AND d.month = indian_month(at);
    refusal := CASE
      WHEN NOT plan.covers THEN 'state'
      WHEN is_free THEN NULL
      WHEN used_in_month >= plan.per_month THEN 'month'
      WHEN used_today >= plan.per_day THEN 'day'
    END;
    RETURN NEXT;
  END $$;
`;
