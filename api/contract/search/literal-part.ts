/**
 * What the user asked to search as typed: 'place' reads no place, 'words' corrects nothing, 'all' does neither and takes
 * the last word as a prefix, as searches did before places were read.
 */
export const LITERAL_PARTS = ['place', 'words', 'all'] as const;
export type LiteralPart = (typeof LITERAL_PARTS)[number];
