/** Result of sharing a text. 'none': this browser can neither share nor copy. */
type ShareResult = 'shared' | 'copied' | 'none';

/** The part of `navigator` that is used. Older browsers and pages without https have neither function. */
export interface ShareCapabilities {
  share?: (data: { text: string }) => Promise<void>;
  clipboard?: { writeText(text: string): Promise<void> };
}

/**
 * Offers the text to the device's apps; where that is impossible, copies it. Nothing is copied when the user
 * closes the list of apps. Never throws. Call it from a tap.
 */
export async function shareOrCopy(text: string, ways: ShareCapabilities): Promise<ShareResult> {
  try {
    if (ways.share) {
      await ways.share({ text });
      return 'shared';
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return 'shared';
    // No app accepts it, or sharing is not allowed.
  }
  try {
    if (!ways.clipboard) return 'none';
    await ways.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'none';
  }
}
