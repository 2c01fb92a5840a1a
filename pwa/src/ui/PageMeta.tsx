import { useEffect } from 'react';

interface PageMetaProps {
  /** Without the product's name. */
  title: string;
  description: string;
}

/** The document's title and description while a screen is shown; every screen draws one. */
export function PageMeta({ title, description }: PageMetaProps) {
  // the page that the server sends has this element already; one drawn by React would stand beside it
  useEffect(() => {
    document.querySelector('meta[name="description"]')?.setAttribute('content', description);
  }, [description]);
  return <title>{`${title} · Nivida`}</title>;
}
