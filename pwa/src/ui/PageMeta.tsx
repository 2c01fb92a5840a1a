import { useEffect } from 'react';

interface PageMetaProps {
  /** Without the product's name. */
  title: string;
  description: string;
}

/** The document's title and description while a screen is shown; every screen has one. The server writes its own. */
export function PageMeta({ title, description }: PageMetaProps) {
  // removes the server's description where React has not adopted it
  useEffect(() => {
    const [first, second] = document.querySelectorAll('meta[name="description"]');
    if (second) first?.remove();
  }, []);
  if (import.meta.env.SSR) return null;
  return (
    <>
      <title>{`${title} · Nivida`}</title>
      <meta name="description" content={description} />
    </>
  );
}
