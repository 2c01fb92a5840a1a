import { type ReactNode, useEffect, useRef, useState } from 'react';

/** The content is rendered this far ahead, so that its code and data can arrive in time. */
const AHEAD = '100% 0px';

/**
 * Renders its content when it is less than one screen below the visible part. Never renders it on the server.
 */
export function WhenNear({ children }: { children: ReactNode }): ReactNode {
  const [isNear, setIsNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return isNear ? children : <div ref={place} />;
}
