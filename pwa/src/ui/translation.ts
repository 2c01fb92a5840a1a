/** A text that a translator has replaced. */
interface Translation {
  element: Element;
  original: string;
}

/**
 * Keeps a page up to date while the browser translates it. A translator replaces each text by a `<font>` with
 * the translation. Later changes of React to the replaced text would be invisible, and a removed text would
 * leave its translation.
 *
 * So the text node is put back, empty, before its translation. When React changes or removes it, the
 * translation is removed too, and the translator translates the new text.
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

  /** Called after a text or its translation has been moved or removed. */
  function settle(text: Text): void {
    const translation = translations.get(text);
    if (!translation) return;
    const { element, original } = translation;
    if (!text.isConnected) part(text);
    else if (element.isConnected) text.after(element);
    else {
      // The user has switched back to the original language.
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
    // Discards the records of its own changes.
    observer.takeRecords();
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
}
