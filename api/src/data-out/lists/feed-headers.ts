import { FEED_MEDIA_TYPES, type FeedFormat } from '@nivida/contract/data-out/feed-addresses';

/** Content type of a feed, and the file name under which a browser saves it. Feeds are not pages for search engines. */
export const feedHeaders = (format: FeedFormat, name: string): Record<string, string> => ({
  'Content-Type': `${FEED_MEDIA_TYPES[format]}; charset=utf-8`,
  'X-Robots-Tag': 'noindex',
  ...(format !== 'atom' && { 'Content-Disposition': `attachment; filename="${name}.${format}"` }),
});
