/** The view transition in which a tender's page opens from its card. TenderCard.module.css has its animations. */
let opened: HTMLElement | null = null;

/** Makes this card the part of the list that moves. */
export function moveCard(card: HTMLElement | null): void {
  // Two elements with one name would stop the transition.
  opened?.style.removeProperty('view-transition-name');
  opened = card;
  opened?.style.setProperty('view-transition-name', 'tender');
}

/** False for a user who prefers reduced motion. */
export const allowsMotion = (): boolean => !globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches;
