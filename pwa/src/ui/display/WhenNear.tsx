import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Code and data of the part have this much of the way to arrive. */
const AHEAD = '100% 0px';

/** A part that is rendered when it is less than a screen below the visible one; never on the server. */
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
