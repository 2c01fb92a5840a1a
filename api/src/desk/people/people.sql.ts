/** Statements of the accounts as an operator sees them. SQL: counts over tables of several features in one row. */

/** What an account has; $1 the account, $2 now. */
export const PERSON_FIGURES = `
  SELECT
    (SELECT count(*)::int FROM session WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2) AS sessions,
    (SELECT max(last_used_at) FROM session WHERE user_id = $1) AS "lastUsedAt",
    (SELECT count(*)::int FROM passkey WHERE user_id = $1) AS passkeys,
    (SELECT count(*)::int FROM api_key WHERE user_id = $1 AND revoked_at IS NULL) AS "apiKeys",
    (SELECT count(*)::int FROM search_feed feed JOIN saved_search search ON search.id = feed.search_id
      WHERE search.user_id = $1) AS "searchFeeds",
    (SELECT count(*)::int FROM push_subscription WHERE user_id = $1) AS "alertDevices",
    (SELECT count(*)::int FROM notice WHERE user_id = $1 AND state = 'due' AND read_at IS NULL) AS "unreadNotices",
    (SELECT count(*)::int FROM saved_search WHERE user_id = $1) AS "savedSearches",
    (SELECT count(*)::int FROM bookmark WHERE user_id = $1) AS bookmarks,
    (SELECT count(*)::int FROM orders WHERE user_id = $1) AS "orderCount",
    (SELECT role FROM staff WHERE user_id = $1) AS role`;
