/** A text that a translator has replaced. */
interface Translation {
  element: Element;
  original: string;
}

/**
 * Keeps a page true that the browser translates. A translator replaces each text by a `<font>` with the translation. What the
 * renderer then writes to the text is not seen, and what it removes stays. So the text goes back to its place, empty, in
 * front of its translation: when it changes or goes, its translation goes, and the translator translates the new text.
 */
export function followTranslations(root: Node): void {
  const translations = new WeakMap<Node, Translation>();
  const texts = new WeakMap<Node, Text>();

  function pair(text: Text, element: Element): void {
    translations.set(text, { element, original: text.data });
    texts.set(element, text);
    text.data = '';
    element.before(text);
  }

  function part(text: Text): void {
    const { element } = translations.get(text) ?? {};
    translations.delete(text);
    element?.remove();
  }

  /** After one of the two has been moved or removed. */
  function settle(text: Text): void {
    const translation = translations.get(text);
    if (!translation) return;
    const { element, original } = translation;
    if (!text.isConnected) part(text);
    else if (element.isConnected) text.after(element);
    else {
      // the user wants the original again
      translations.delete(text);
      text.data = original;
    }
  }

  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (target instanceof Text) part(target);
      for (const node of removedNodes) {
        const text = node instanceof Text ? node : texts.get(node);
        if (!text) continue;
        settle(text);
        if (text !== node || text.isConnected || text.data.trim() === '') continue;
        const element = [...addedNodes, previousSibling, nextSibling].find(
          (other) => other?.nodeName === 'FONT' && other.parentNode === target && !texts.has(other),
        );
        if (element) pair(text, element as Element);
      }
    }
    // of its own changes
    observer.takeRecords();
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}
