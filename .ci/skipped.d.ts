import type { Reporter } from 'vitest/node';

export function describeSkipped(names: readonly string[]): string;
export const skippedReporter: Reporter;
