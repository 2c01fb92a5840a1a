/**
 * The page's first script. Where the server has drawn a page for a device that keeps nothing yet, the page is read first:
 * the app's code, which has been fetched meanwhile, is run at the first touch, else a little later. Until it has put its
 * own page in that one's place, what is touched is kept for it.
 */
import { captureInstallPrompt } from './features/install/install-prompt.ts';
import { keepTouches, letTouchesGo } from './touches.ts';

/** Nobody has touched anything by then: the app prepares itself for doing without a network. */
const UNTOUCHED_MS = 4_000;

/** As long as the answer beside it is believed (data/written.ts). */
const FRESH_MS = 60_000;

/** Any sign of somebody. */
const TOUCHES = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'scroll', 'keydown', 'focusin'] as const;

/** Words of a page that was drawn for anybody are not yet those for whoever comes back. */
function keepsSomething(): boolean {
  try {
    return localStorage.length > 0;
  } catch {
    return false;
  }
}

function firstTouch(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      for (const touch of TOUCHES) document.removeEventListener(touch, go, true);
      resolve();
    };
    for (const touch of TOUCHES) document.addEventListener(touch, go, { capture: true, passive: true });
    setTimeout(go, UNTOUCHED_MS);
  });
}

/**
 * Takes away a page that the browser had kept, as one gone back to: its countdowns are over. A device whose clock is wrong
 * cannot tell, and does the same. True for a page that may stay.
 */
function isDrawnNow(root: HTMLElement | null): boolean {
  const at = root?.dataset.drawn;
  if (root === null || at === undefined) return false;
  if (at === '' || Math.abs(Date.now() - Date.parse(at)) < FRESH_MS) return true;
  root.replaceChildren();
  delete root.dataset.drawn;
  return false;
}

async function start(): Promise<void> {
  captureInstallPrompt();
  const isDrawn = isDrawnNow(document.getElementById('root'));
  if (isDrawn) {
    for (const element of document.querySelectorAll<HTMLElement>('[data-style]'))
      element.style.cssText = element.dataset.style ?? '';
    keepTouches();
  }
  if (isDrawn && !location.hash && !keepsSomething()) await firstTouch();
  try {
    await import('./main.tsx');
  } catch (error) {
    // What was drawn can still be read, and its links followed.
    letTouchesGo();
    throw error;
  }
}
void start();
