import { t } from '@lingui/core/macro';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { usePreload } from '../../data/preload.ts';
import { currentOwner } from '../../data/session.ts';
import { recordMutation, releaseMutation, type UnsavedMutation } from '../../data/unsaved-mutations.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { showToast } from '../../ui/feedback/toast.ts';
import { useSwitch } from '../../ui/form/useSwitch.ts';
import css from './BookmarkButton.module.css';
import { showStoredIds, useBookmarkStore } from './bookmark-store.ts';
import type { FindTender } from './bookmarked-tenders.ts';

interface BookmarkButtonProps {
  tender: TenderSummary;
  /** Finds the tender in a pack on the device. Without it the server is asked. */
  find?: FindTender | undefined;
  /** 'card': in a card's corner. 'icon': a square in a bar. 'stacked': an icon above its label. */
  look: 'card' | 'icon' | 'stacked';
}

/**
 * The code that stores a bookmark, with the device's database, is larger than any screen. It is loaded after
 * the first paint.
 */
const loadActions = () => import('./bookmark-sync.ts');

/** True when the mutation was stored, or recorded for the next start. */
async function storeMutation(
  mutation: UnsavedMutation,
  tender: TenderSummary,
  find: FindTender | undefined,
): Promise<boolean> {
  try {
    const { storeAndSendMutation } = await loadActions();
    return await storeAndSendMutation(mutation, tender, find);
  } catch {
    const isReleased = releaseMutation(mutation);
    if (isReleased) showStoredIds();
    else showToast({ text: t`Failed to bookmark tender` });
    return isReleased;
  }
}

/** Adds or removes a bookmark. Works offline and signed out. */
export function BookmarkButton({ tender, find, look }: BookmarkButtonProps) {
  const isBookmarked = useBookmarkStore(({ ids }) => ids.has(tender._id));
  const { isPressed, press } = useSwitch(isBookmarked);
  usePreload(loadActions);
  const button = {
    'aria-label': t`Bookmark: ${{ title: tender.title }}`,
    'aria-pressed': isPressed,
    'data-tender': tender._id,
    onClick: () => {
      const mutation = recordMutation({
        kind: 'bookmark',
        owner: currentOwner(),
        subject: tender._id,
        wanted: !isPressed,
      });
      press(() => storeMutation(mutation, tender, find));
    },
  };
  if (look === 'card') {
    return (
      <button {...button} type="button" className={css.card}>
        <Icon name="bookmark" />
      </button>
    );
  }
  return (
    <Button {...button} look={look}>
      <Icon name="bookmark" /> {look === 'stacked' && t`Bookmark`}
    </Button>
  );
}
