/** The fragment of a heading, as GitHub makes it. */
export function slugOf(heading: string): string;
