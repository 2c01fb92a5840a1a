/** Skipped tests in the totals: how many and why. A test that needs something says so in its name: "… (needs ../shared)". */

const NEEDS = /\(needs ([^)]+)\)/;

/** '15 skipped (15 need ../shared, which is not here)' for the full names of skipped tests; '' for none. */
export function describeSkipped(names) {
  if (names.length === 0) return '';
  const counts = new Map();
  for (const name of names) {
    const needed = NEEDS.exec(name)?.[1];
    const reason = needed === undefined ? 'for another reason' : `need ${needed}, which is not here`;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return `${names.length} skipped (${[...counts].map(([reason, count]) => `${count} ${reason}`).join('; ')})`;
}

/** Whether the run selects a test by its tags: a release runs those with a tag, other runs those without. */
const isSelected = (tags) => (process.env.RELEASE_TESTS === '1' ? tags.length > 0 : tags.length === 0);

/** A reporter of Vitest: a last line for tests that lack what they need. A filter by name or tag skips others without a line. */
export const skippedReporter = {
  onTestRunEnd(modules) {
    const names = [];
    for (const module of modules)
      for (const { fullName, tags } of module.children.allTests('skipped'))
        if (NEEDS.test(fullName) && isSelected(tags)) names.push(fullName);
    if (names.length > 0) process.stdout.write(`\n ${describeSkipped(names)}\n`);
  },
};
