interface PageMetaProps {
  /** Without the product's name. */
  title: string;
  description: string;
}

/**
 * Sets the document's title and description while a screen is shown. React puts them into the head. The
 * server writes its own head.
 */
export function PageMeta({ title, description }: PageMetaProps) {
  if (import.meta.env.SSR) return null;
  return (
    <>
      <title>{`${title} · Nivida`}</title>
      <meta name="description" content={description} />
    </>
  );
}
