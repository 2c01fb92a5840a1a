/**
 * The table of pages. It is used by the app's router and navigation, server rendering, preloads, robots.txt, the sitemap and
 * the service worker. `screen` names the page's file in `pwa/src/screens`.
 */
import { splitLanguage } from '../languages.ts';

/** `title` without the product's name, which the page appends; `description` has one or two sentences. */
export interface PageText {
  title: string;
  description: string;
}

/** One page. A page with data may have another `title` and `description`. */
export interface Page extends PageText {
  /** Texts when nothing is sold (R81). */
  free?: PageText;
  /** The screen's file without `.screen.tsx`; the last part is the name of its component. */
  screen?: string;
  /** Instead of a screen: the page to which this address redirects, with the router's state. */
  redirect?: { to: string; state?: object };
  /** Pattern of the parameter in the path. Without it any text is accepted. */
  parameter?: string;
  /**
   * A first visit may begin here, so the server preloads the screen's code. It renders the screen too, unless it is private:
   * a 'static' screen for all visitors, a 'data' screen with the data of the address.
   */
  landing?: 'static' | 'data';
  /** The page shows the visitor's own data. Only the browser can render it, and search engines must not read it. */
  isPrivate?: true;
  /** Signed-out visitors are redirected to the home page. */
  needsSession?: true;
  /** The service worker stores the server-rendered page and, with an update, the screen's code. */
  isStored?: true;
  /** Pages one tap away, whose code is loaded in advance: after the first screen ('shown'), or after the first use of the page ('used'). */
  ahead?: { pages: readonly string[]; when: 'shown' | 'used' };
}

/** Text of pages about prices and payments when nothing is sold (R81). They are then not in the sitemap. */
export const FREE_PAGE_TEXT: PageText = {
  title: 'Free here',
  description: 'Everything is free here: search, alerts, bids and documents. There is nothing to buy.',
};

/** Text of the page for unknown addresses. */
export const NOT_FOUND_TEXT: PageText = {
  title: 'Page not found',
  description: 'There is no page at this address.',
};

const HOME_DESCRIPTION =
  'Open government tenders of India by state, district and department, with the closing hour of each.';
const SEARCH_DESCRIPTION =
  'Search open government tenders by words, state, district and department. Free, no account needed.';

/** Pages by path. A part that begins with a colon is a parameter. The order is that of SPEC's table, then other pages. */
export const PAGES = {
  '/': {
    title: 'Government tenders in India',
    description: HOME_DESCRIPTION,
    screen: 'home/Home',
    landing: 'static',
    isStored: true,
    ahead: { pages: ['/tenders/results', '/tenders'], when: 'shown' },
  },
  '/register': {
    title: 'Create account',
    description: HOME_DESCRIPTION,
    redirect: { to: '/', state: { register: true } },
  },
  '/tenders': {
    title: 'Find tenders',
    description: SEARCH_DESCRIPTION,
    screen: 'tenders/TenderSearch',
    landing: 'static',
    isStored: true,
    ahead: { pages: ['/tenders/results', '/tenders'], when: 'shown' },
  },
  '/tenders/results': {
    title: 'Open tenders',
    description: 'Government tenders in India that are open now, with value, EMD and the closing hour of each.',
    screen: 'tenders/TenderResults',
    landing: 'data',
    isStored: true,
    ahead: { pages: ['/tenders/:id'], when: 'shown' },
  },
  '/tenders/:id': {
    title: 'Tender',
    description: SEARCH_DESCRIPTION,
    screen: 'tenders/TenderDetail',
    parameter: String.raw`\d+`,
    landing: 'data',
    isStored: true,
    // A visitor who came by a link has not loaded the list of tenders.
    ahead: { pages: ['/tenders/results'], when: 'used' },
  },
  '/pricing': {
    title: 'Plans and prices',
    description:
      'Three yearly plans for alerts in your states and document downloads. Searching and reading stay free.',
    free: FREE_PAGE_TEXT,
    screen: 'payment/Pricing',
    landing: 'static',
  },
  '/payment-status': {
    title: 'Payment status',
    description: 'The outcome of a payment made on Nivida.',
    free: FREE_PAGE_TEXT,
    screen: 'payment/PaymentStatus',
    landing: 'static',
    isPrivate: true,
  },
  '/about': {
    title: 'About Us',
    description: 'Why Nivida exists, what it stands for, and what it does for contractors who bid for public works.',
    screen: 'info/About',
    landing: 'static',
  },
  '/contact': {
    title: 'Contact',
    description: 'Ask Nivida about tenders, documents, plans or your account, and read answers to frequent questions.',
    free: {
      title: 'Contact',
      description: 'Ask Nivida about tenders, documents or your account, and read answers to frequent questions.',
    },
    screen: 'info/Contact',
    landing: 'static',
  },
  '/services': {
    title: 'Services',
    description: 'Tender management, notifications and what comes next for contractors who bid for public works.',
    screen: 'info/Services',
    landing: 'static',
  },
  '/analysis': {
    title: 'Competitive Analysis',
    description: 'Coming soon: who bids in your district, at what price works are awarded, and how you compare.',
    screen: 'info/Analysis',
    landing: 'static',
  },
  '/analysis/offices/:id': {
    title: 'Office',
    description: 'Bidders, refused bids and award prices of an office.',
    screen: 'awards/OfficeDetail',
    landing: 'data',
  },
  '/analysis/:state': {
    title: 'Awarded tenders',
    description: 'Bidders, refused bids and award prices of past tenders, by office.',
    screen: 'awards/AwardState',
    landing: 'data',
  },
  '/awards/:id': {
    title: 'Award',
    description: 'The published result of a government tender: value, bidders and dates.',
    screen: 'awards/AwardDetail',
    landing: 'data',
  },
  '/privacy': {
    title: 'Privacy Policy',
    description: 'What Nivida collects, what stays on your device, for how long, and the rights you have over it.',
    screen: 'info/Privacy',
    landing: 'static',
  },
  '/terms': {
    title: 'Terms of Service',
    description: 'The rules for using Nivida, its accounts, plans and document packages.',
    free: {
      title: 'Terms of Service',
      description: 'The rules for using Nivida, its accounts and documents.',
    },
    screen: 'info/Terms',
    landing: 'static',
  },
  '/cookies': {
    title: 'Cookie Policy',
    description: 'The two cookies Nivida sets and all data it stores in your browser, entry by entry.',
    screen: 'info/Cookies',
    landing: 'static',
  },
  '/gdpr': {
    title: 'Data protection: GDPR and DPDP Act',
    description:
      'Your rights under the GDPR and India’s Digital Personal Data Protection Act 2023, and how to use them.',
    screen: 'info/Gdpr',
    landing: 'static',
  },
  '/refund': {
    title: 'Refund Policy',
    description: 'All payments are non-refundable; the exceptions, and how the money comes back.',
    free: FREE_PAGE_TEXT,
    screen: 'info/Refund',
    landing: 'static',
  },
  '/dashboard': {
    title: 'Dashboard',
    description: 'Your tenders, account and settings.',
    screen: 'dashboard/DashboardHome',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/tenders': {
    title: 'Find tenders',
    description: SEARCH_DESCRIPTION,
    redirect: { to: '/tenders' },
    isPrivate: true,
  },
  '/dashboard/profile': {
    title: 'Profile',
    description: 'Your name, e-mail address, mobile number and firm.',
    screen: 'dashboard/Profile',
    isPrivate: true,
    needsSession: true,
  },
  // The bids of a signed-out visitor are on the device.
  '/dashboard/applications': {
    title: 'My Applications',
    description: 'Your bids by stage, what is missing, and the next step.',
    screen: 'bids/MyBids',
    isPrivate: true,
  },
  '/dashboard/applications/:id': {
    title: 'My Applications',
    description: 'One of your bids.',
    screen: 'bids/BidPage',
    parameter: '[0-9a-f-]{36}',
    isPrivate: true,
  },
  '/dashboard/documents': {
    title: 'Document vault',
    description: 'The documents that you upload with bids, and until when they are valid.',
    screen: 'dashboard/DocumentVault',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/payments': {
    title: 'Payments & EMD',
    description: 'Your plan, documents, orders and receipts.',
    free: { title: 'Documents & EMD', description: 'Your documents, alerts and EMD.' },
    screen: 'dashboard/Payments',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/analytics': {
    title: 'Analytics',
    description: 'Your EMD and deposits, and your bids in figures.',
    screen: 'bids/Analytics',
    isPrivate: true,
  },
  '/dashboard/support': {
    title: 'Support',
    description: 'What is coming to Support on Nivida.',
    screen: 'dashboard/Support',
    isPrivate: true,
    needsSession: true,
  },
  '/dashboard/settings': {
    title: 'Settings',
    description: 'Saved states and alerts of this phone, your sessions, password and data.',
    screen: 'dashboard/Settings',
    isPrivate: true,
    needsSession: true,
  },
  '/bookmarks': {
    title: 'Bookmarked tenders',
    description: 'The tenders you bookmarked, also without a connection.',
    screen: 'tenders/Bookmarks',
    isPrivate: true,
    needsSession: true,
  },
  '/notices': {
    title: 'Notices',
    description: 'What closes soon, what has changed and what is new, also without a connection.',
    screen: 'alerts/Notices',
    isPrivate: true,
  },
  '/reset-password': {
    title: 'Reset Password',
    description: 'Choose a new password for your account.',
    screen: 'account/ResetPassword',
  },
  // Receives shared texts of other apps (share_target of the manifest).
  '/share': { title: 'Find tenders', description: SEARCH_DESCRIPTION, screen: 'tenders/ShareTarget' },
} as const satisfies Record<string, Page>;

export type PagePath = keyof typeof PAGES;

/** The pages with their paths. */
export const pageEntries = (): [PagePath, Page][] => Object.entries(PAGES) as [PagePath, Page][];

/** A page at an address. */
export interface FoundPage {
  path: PagePath;
  page: Page;
  /** The parameter as the address has it; '' for a page without one. */
  parameter: string;
}

/** The page at an address's path, in any language; undefined for an unknown one. */
export function findPage(address: string): FoundPage | undefined {
  const { path: plain } = splitLanguage(address);
  for (const [path, page] of pageEntries()) {
    const pattern = new RegExp(`^${path.replace(/:\w+/, `(${page.parameter ?? '[^/]+'})`)}$`);
    const match = pattern.exec(plain);
    if (match) return { path, page, parameter: match[1] ?? '' };
  }
  return undefined;
}

/** The title and description of a page. */
export function pageText({ title, description, free }: Page, sellsNothing: boolean): PageText {
  return (sellsNothing && free) || { title, description };
}
