/** The buttons of feeds, which have a chunk of their own: the lists do without them at first. */
import { optionalPart } from '../ui/lazy/lazy.tsx';

const loadButtons = () => import('../features/feeds/FeedButtons.tsx');

export const ListFeedsButton = optionalPart(async () => (await loadButtons()).ListFeedsButton);
export const SearchFeedButton = optionalPart(async () => (await loadButtons()).SearchFeedButton);
