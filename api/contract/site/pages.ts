/** Titles and descriptions of the static pages, for the app and for server-rendered pages. */

/** `title` without the product's name, which the page appends; `description` has one or two sentences. */
export interface PageText {
  title: string;
  description: string;
}

/** The addresses of prices and payments where nothing is sold (R81). */
export const FREE_PAGE_TEXT: PageText = {
  title: 'Free here',
  description: 'Everything is free here: search, alerts, bids and documents. There is nothing to buy.',
};

/** By path. */
export const PAGE_TEXTS = {
  '/': {
    title: 'Government tenders in India',
    description: 'Open government tenders of India by state, district and department, with the closing hour of each.',
  },
  '/tenders': {
    title: 'Find tenders',
    description: 'Search open government tenders by words, state, district and department. Free, no account needed.',
  },
  '/pricing': {
    title: 'Plans and prices',
    description:
      'Three yearly plans for alerts in your states and document downloads. Searching and reading stay free.',
  },
  '/payment-status': { title: 'Payment status', description: 'The outcome of a payment made on Nivida.' },
  '/about': {
    title: 'About Us',
    description: 'Why Nivida exists, what it stands for, and what it does for contractors who bid for public works.',
  },
  '/contact': {
    title: 'Contact',
    description: 'Ask Nivida about tenders, documents, plans or your account, and read answers to frequent questions.',
  },
  '/services': {
    title: 'Services',
    description: 'Tender management, notifications and what comes next for contractors who bid for public works.',
  },
  '/analysis': {
    title: 'Competitive Analysis',
    description: 'Coming soon: who bids in your district, at what price works are awarded, and how you compare.',
  },
  '/privacy': {
    title: 'Privacy Policy',
    description: 'What Nivida collects, what stays on your device, for how long, and the rights you have over it.',
  },
  '/terms': {
    title: 'Terms of Service',
    description: 'The rules for using Nivida, its accounts, plans and document packages.',
  },
  '/cookies': {
    title: 'Cookie Policy',
    description: 'The two cookies Nivida sets and all data it stores in your browser, entry by entry.',
  },
  '/gdpr': {
    title: 'Data protection: GDPR and DPDP Act',
    description:
      'Your rights under the GDPR and India’s Digital Personal Data Protection Act 2023, and how to use them.',
  },
  '/refund': {
    title: 'Refund Policy',
    description: 'All payments are non-refundable; the exceptions, and how the money comes back.',
  },
  '/bookmarks': { title: 'Bookmarked tenders', description: 'The tenders you bookmarked, also without a connection.' },
  '/notices': {
    title: 'Notices',
    description: 'What closes soon, what has changed and what is new, also without a connection.',
  },
} as const satisfies Record<string, PageText>;

/** Pages whose texts differ where nothing is sold (R81). */
const FREE_TEXTS: Readonly<Partial<Record<string, PageText>>> = {
  '/pricing': FREE_PAGE_TEXT,
  '/refund': FREE_PAGE_TEXT,
  '/payment-status': FREE_PAGE_TEXT,
  '/contact': {
    title: PAGE_TEXTS['/contact'].title,
    description: 'Ask Nivida about tenders, documents or your account, and read answers to frequent questions.',
  },
  '/terms': {
    title: PAGE_TEXTS['/terms'].title,
    description: 'The rules for using Nivida, its accounts and documents.',
  },
};

/** The title and description of a page; undefined for an unknown path. */
export function pageText(path: keyof typeof PAGE_TEXTS, sellsNothing: boolean): PageText;
export function pageText(path: string, sellsNothing: boolean): PageText | undefined;
export function pageText(path: string, sellsNothing: boolean): PageText | undefined {
  const own: PageText | undefined = (PAGE_TEXTS as Readonly<Record<string, PageText>>)[path];
  return (sellsNothing && FREE_TEXTS[path]) || own;
}
