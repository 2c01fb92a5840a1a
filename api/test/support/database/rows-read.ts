/** How many rows of a table the statements of some work read, by the plans that PostgreSQL makes for them. */
import type { DataSource } from 'typeorm';

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Runs `work`, then explains its statements that read `table`; returns the rows that their scans visited. */
export async function rowsRead(dataSource: DataSource, table: string, work: () => Promise<unknown>): Promise<number> {
  const statements = new Map<string, unknown[]>();
  const { logger } = dataSource;
  dataSource.logger = Object.assign(Object.create(logger), {
    logQuery(text: string, values: unknown[] = []) {
      if (/^\s*SELECT/.test(text) && new RegExp(`\\b${table}\\b`).test(text)) statements.set(text, values);
    },
  });
  try {
    await work();
  } finally {
    dataSource.logger = logger;
  }
  let count = 0;
  for (const [text, values] of statements) {
    const [row] = await dataSource.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    count += rowsOf(row['QUERY PLAN'][0].Plan, table);
  }
  return count;
}

function rowsOf(node: PlanNode, table: string): number {
  const visited = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = node['Relation Name'] === table ? visited : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each, table), own);
}
