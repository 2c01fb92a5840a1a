/** Condition on the provider of an order. SQL: it compares pairs of columns with two lists. */
export const configuredProviderCondition = (order: string): string =>
  `(${order}.provider, ${order}.live) IN (SELECT * FROM unnest(CAST(:providers AS text[]), CAST(:lives AS boolean[])))`;
