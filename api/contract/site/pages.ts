/** Titles and descriptions of the static pages, for the app and for server-rendered pages. */

/** `title` without the product's name, which the page appends; `description` has one or two sentences. */
export interface PageText {
  title: string;
  description: string;
}

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
