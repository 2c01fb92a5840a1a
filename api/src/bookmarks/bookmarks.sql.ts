/** Statement of the bookmarks. SQL: it locks the tenders. */

export const LOCK_PUBLISHED_TENDERS =
  'SELECT id FROM tender WHERE id = ANY($1) AND published_at <= $2 ORDER BY id FOR KEY SHARE';
