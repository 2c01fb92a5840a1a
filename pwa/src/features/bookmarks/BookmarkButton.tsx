import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import css from './BookmarkButton.module.css';
import { useBookmarkStore } from './bookmark-store.ts';
import type { FindTender } from './bookmarked-tenders.ts';

interface BookmarkButtonProps {
  tender: TenderSummary;
  /** Finds the tender in a pack on the device; without it the server is asked. */
  find?: FindTender | undefined;
  /** 'card': in a card's corner; 'icon': a square in a bar; 'stacked': icon above its label. */
  look: 'card' | 'icon' | 'stacked';
}

/** Imports the device's database at the first click, since it is larger than any screen. */
async function toggleOnClick(tender: TenderSummary, find: FindTender | undefined): Promise<void> {
  try {
    const { toggleBookmarkAndSend } = await import('./bookmark-actions.ts');
    await toggleBookmarkAndSend(tender, find);
  } catch {
    showToast({ text: 'Failed to bookmark tender' });
  }
}

/** Adds or removes a bookmark, also offline and signed out. */
export function BookmarkButton({ tender, find, look }: BookmarkButtonProps) {
  const isBookmarked = useBookmarkStore(({ ids }) => ids.has(tender._id));
  // the code that stores a bookmark, and the database, may be seconds away on a slow link
  const [wanted, setWanted] = useState<boolean>();
  if (wanted === isBookmarked) setWanted(undefined);
  const button = {
    'aria-label': `Bookmark: ${tender.title}`,
    'aria-pressed': isBookmarked,
    'data-waiting': wanted === undefined ? undefined : '',
    onClick: () => {
      setWanted(!isBookmarked);
      void toggleOnClick(tender, find).finally(() => setWanted(undefined));
    },
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
