/** What became of a text that was to be shared; 'none': this browser can neither share nor copy. */
export type ShareResult = 'shared' | 'copied' | 'none';

/** What a browser offers of `navigator`; older ones and pages without https lack either. */
export interface ShareCapabilities {
  share?: (data: { text: string }) => Promise<void>;
  clipboard?: { writeText(text: string): Promise<void> };
}

/**
 * Offers the text to the device's apps, else copies it. Whoever closes the list of apps has shared as much as wanted:
 * nothing is copied then. Never throws. Call it from a tap.
 */
export async function shareOrCopy(text: string, ways: ShareCapabilities): Promise<ShareResult> {
  try {
    if (ways.share) {
      await ways.share({ text });
      return 'shared';
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return 'shared';
    // no app takes it, or sharing is not allowed here
  }
  try {
    if (!ways.clipboard) return 'none';
    await ways.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'none';
  }
}
