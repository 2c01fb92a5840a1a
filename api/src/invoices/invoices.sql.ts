/** Statements of the invoices. SQL: a number is taken by one locking upsert, and the tables have no entity. */

export const INVOICES_OF_PERIOD = `
  SELECT kind, number, issued_at, content FROM invoice
  WHERE series IN ('TN', 'CN') AND (issued_at AT TIME ZONE 'Asia/Kolkata')::date BETWEEN $1 AND $2
  ORDER BY series DESC, financial_year, no`;

export const ORDER_OF_KNOWN_BUYER = "SELECT id, user_id FROM orders WHERE public_id = $1 AND buyer_email <> ''";

export const INVOICES_OF_ORDER = `
  SELECT kind, number, issued_at, content FROM invoice
  WHERE order_id = $1 ORDER BY kind = 'credit_note'`;

export const INVOICED_ORDER = `
  SELECT o.id, o.public_id, o.title, o.plan_id, o.buyer_name, o.billing_state, o.gstin, o.buyer_firm, o.buyer_address, o.firm_id, o.credits,
    o.live, o.language, e.starts_at, e.ends_at
  FROM orders o LEFT JOIN entitlement e ON e.order_id = o.id WHERE o.id = $1`;

export const NEXT_INVOICE_NO = `
  INSERT INTO invoice_series AS s (series, financial_year, last_no) VALUES ($1, $2, 1)
  ON CONFLICT (series, financial_year) DO UPDATE SET last_no = s.last_no + 1 RETURNING last_no`;

export const INSERT_INVOICE = `
  INSERT INTO invoice (order_id, kind, series, financial_year, no, number, issued_at, content)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
