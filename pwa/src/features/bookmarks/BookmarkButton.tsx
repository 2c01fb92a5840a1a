import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import css from './BookmarkButton.module.css';
import { useBookmarkStore } from './bookmark-store.ts';
import type { FindTender } from './bookmarked-tenders.ts';

interface BookmarkButtonProps {
  tender: TenderSummary;
  /** Where the device may have all of the tender already; without it the server is asked. */
  find?: FindTender | undefined;
  /** 'card': bare in a card's corner; 'icon': a square in a bar; 'stacked': over its word, in a row of such. */
  look: 'card' | 'icon' | 'stacked';
}

/** Loaded at the first press: the device's database is larger than any screen. */
async function toggleOnPress(tender: TenderSummary, find: FindTender | undefined): Promise<void> {
  try {
    const { toggleBookmarkAndSend } = await import('./bookmark-actions.ts');
    await toggleBookmarkAndSend(tender, find);
  } catch {
    showToast({ text: 'Failed to bookmark tender' });
  }
}

/** Keeps a tender or lets it go; works offline and signed out. */
export function BookmarkButton({ tender, find, look }: BookmarkButtonProps) {
  const isBookmarked = useBookmarkStore(({ ids }) => ids.has(tender._id));
  const button = {
    'aria-label': `Bookmark: ${tender.title}`,
    'aria-pressed': isBookmarked,
    onClick: () => void toggleOnPress(tender, find),
  };
  if (look === 'card') {
    return (
      <button {...button} type="button" className={css.card}>
        <Icon name="keep" />
      </button>
    );
  }
  return (
    <Button {...button} look={look}>
      <Icon name="keep" /> {look === 'stacked' && 'Bookmark'}
    </Button>
  );
}
