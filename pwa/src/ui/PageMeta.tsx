import { useLayoutEffect } from 'react';

interface PageMetaProps {
  /** Without the product's name. */
  title: string;
  description: string;
}

/** The element that holds the page's description; a page that the server has not rendered has none. */
function descriptionElement(): HTMLMetaElement {
  const present = document.querySelector<HTMLMetaElement>('meta[name="description"]');
  if (present) return present;
  const created = document.createElement('meta');
  created.name = 'description';
  document.head.append(created);
  return created;
}

/** The document's title and description while a screen is shown; every screen has one. The server writes its own. */
export function PageMeta({ title, description }: PageMetaProps) {
  useLayoutEffect(() => {
    document.title = `${title} · Nivida`;
    descriptionElement().content = description;
  }, [title, description]);
  return null;
}
